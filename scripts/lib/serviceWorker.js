// Keeps the files of one version of the site, so that it opens without a connection. scripts/lib/offline.ts puts in which
// files these are. A newer version waits until no page of this one is open: it never changes anything under a run.
const VERSION = '%VERSION%';
const FILES = '%FILES%';
/** Several versions may live side by side in folders of one host: each keeps and forgets only what is its own. */
const OURS = `horizon-lab site ${new URL('./', location.href).pathname} `;
const CACHE = OURS + VERSION;
/** The page itself; hosts send it for the folder. */
const PAGE = './';

const NOT_KEPT =
  'There is no connection, and this page is not one of those that Horizon Lab keeps. Go back to the lab.';
const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' };

async function fill() {
  const cache = await caches.open(CACHE);
  for (const file of FILES) {
    // the name of an asset carries a hash of its content: what an older version has is the same
    const known = file.startsWith('assets/') ? await caches.match(file, { ignoreVary: true }) : undefined;
    if (known) await cache.put(file, known);
    else await cache.add(new Request(file, { cache: 'no-cache' }));
  }
}

async function forgetOthers() {
  const names = await caches.keys();
  // first versions did not have the folder in the name
  const isOld = (name) => (name.startsWith(OURS) && name !== CACHE) || /^horizon-lab site \w+$/.test(name);
  await Promise.all(names.filter(isOld).map((name) => caches.delete(name)));
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  const { pathname } = new URL(request.url);
  const home = new URL(PAGE, location.href).pathname;
  const isPage = request.mode === 'navigate' && (pathname === home || pathname === `${home}index.html`);
  const found = await cache.match(isPage ? PAGE : request, { ignoreSearch: true, ignoreVary: true });
  if (found || request.mode !== 'navigate') return found ?? fetch(request);
  return fetch(request).catch(() => new Response(NOT_KEPT, { status: 503, headers: TEXT }));
}

addEventListener('install', (event) => event.waitUntil(fill()));
// the page of the first visit takes its parts from here, too: a newer version has to wait for it
addEventListener('activate', (event) => event.waitUntil(forgetOthers().then(() => clients.claim())));
addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method === 'GET' && new URL(request.url).origin === location.origin) event.respondWith(answer(request));
});
