// Keeps the files of one version of the site, so that it opens without a connection. scripts/lib/offline.ts puts in which
// files these are, and the headers. A newer version waits until no page of this one is open: it never changes anything under a run.
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
/** What isolates a page from other origins, so that cores may share memory; hosts that send no headers cannot. */
const ISOLATING = '%ISOLATING%';
/** The same for a frame, of whatever page, in browsers that isolate documents by themselves. */
const ISOLATING_FRAME = '%ISOLATING_FRAME%';

/** Files that are asked for at a time: one after another, most of the time goes by with waiting. */
const BUNCH = 16;

async function fill() {
  const cache = await caches.open(CACHE);
  for (let k = 0; k < FILES.length; k += BUNCH) {
    const files = FILES.slice(k, k + BUNCH);
    // the name of an asset carries a hash of its content: what an older version has is the same
    const known = await Promise.all(
      files.map((file) => (file.startsWith('assets/') ? caches.match(file, { ignoreVary: true }) : undefined)),
    );
    await Promise.all(files.map((file, n) => known[n] && cache.put(file, known[n])));
    await cache.addAll(files.filter((_, n) => !known[n]).map((file) => new Request(file, { cache: 'no-cache' })));
  }
}

async function forgetOthers() {
  const names = await caches.keys();
  // first versions did not have the folder in the name
  const isOld = (name) => (name.startsWith(OURS) && name !== CACHE) || /^horizon-lab site \w+$/.test(name);
  await Promise.all(names.filter(isOld).map((name) => caches.delete(name)));
}

/** In WebKit (seen in WebKitGTK 2.50) a page that is isolated so never gets ready, also since it starts all workers itself. */
const isWebKit = /AppleWebKit/.test(navigator.userAgent) && !/Chrome\//.test(navigator.userAgent);

/** By what an answer is for: the page as a tab of its own, as a frame, and workers, which have to ask for the same as theirs. */
const HEADERS = { document: ISOLATING, iframe: ISOLATING_FRAME, worker: { ...ISOLATING, ...ISOLATING_FRAME } };

/** Page and workers are isolated on every host, frames where the browser can. */
function isolated(response, destination) {
  // a redirect says nothing of where it leads
  if (isWebKit || response.status === 0) return response;
  const { body, status, statusText } = response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(HEADERS[destination])) headers.set(name, value);
  return new Response(body, { status, statusText, headers });
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  const { pathname } = new URL(request.url);
  const home = new URL(PAGE, location.href).pathname;
  const isPage = request.mode === 'navigate' && (pathname === home || pathname === `${home}index.html`);
  const found = await cache.match(isPage ? PAGE : request, { ignoreSearch: true, ignoreVary: true });
  const { destination } = request;
  const isOurs = isPage || destination === 'worker';
  const response = found ?? (await fetched(request));
  return isOurs && destination in HEADERS ? isolated(response, destination) : response;
}

function fetched(request) {
  if (request.mode !== 'navigate') return fetch(request);
  return fetch(request).catch(() => new Response(NOT_KEPT, { status: 503, headers: TEXT }));
}

addEventListener('install', (event) => event.waitUntil(fill()));
// the page of the first visit takes its parts from here, too: a newer version has to wait for it
addEventListener('activate', (event) => event.waitUntil(forgetOthers().then(() => clients.claim())));
addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method === 'GET' && new URL(request.url).origin === location.origin) event.respondWith(answer(request));
});
