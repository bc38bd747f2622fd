import { createReadStream, existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Args } from './args.ts';
import { peerFolders } from './peers/folders.ts';
import { Progress } from './progress.ts';
import { keeper } from './report.ts';
import { noHardware, type Device, type Options, type Report } from './types.ts';

/** The command is bundled into .cache/cli/bench, three folders below the repository. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SITE = join(ROOT, '.cache', 'bench');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};

async function buildPage(): Promise<void> {
  const { build } = await import('vite');
  await build({
    root: join(ROOT, 'bench'),
    base: './',
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    worker: { format: 'es' },
    build: {
      outDir: SITE,
      emptyOutDir: true,
      target: 'es2023',
      minify: false,
      chunkSizeWarningLimit: 100_000,
      rolldownOptions: { input: join(ROOT, 'bench', 'page.html'), onwarn: () => undefined },
    },
  });
}

function fileOf(path: string): string {
  const peer = /^\/peers\/([\w-]+)\/([\w.-]+)$/.exec(path);
  const folder = peer && peerFolders[peer[1] as keyof typeof peerFolders];
  if (peer && folder) return join(ROOT, folder, peer[2]!);
  return join(SITE, normalize(path.replace(/^\/(threads|single)\//, '/')));
}

/** Serves the page twice: under /threads/ isolated, so that ours and peers may use all cores, and under /single/ without. */
async function serve(): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const file = fileOf(path);
    if (!file.startsWith(ROOT) || !existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(200, {
      'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
      'Cross-Origin-Resource-Policy': 'same-origin',
      ...(path.startsWith('/single/')
        ? {}
        : { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }),
    });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The page could not be served.');
  return { server, origin: `http://127.0.0.1:${address.port}` };
}

/** The same switches as the kernel tests. */
const SWITCHES = [
  '--no-sandbox',
  '--enable-unsafe-webgpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  ...(process.env['BENCH_SWITCHES']?.split(' ').filter(Boolean) ?? []),
];

/** Builds the page, opens it in a headless Chromium and collects its rows. */
export async function runInBrowser(args: Args): Promise<Report> {
  const scripts = pathToFileURL(join(ROOT, 'scripts', 'chromium.mjs')).href;
  const { ensureChromium } = (await import(/* @vite-ignore */ scripts)) as { ensureChromium(): Promise<string> };
  const { chromium } = await import('playwright');
  const [executablePath] = await Promise.all([ensureChromium(), buildPage()]);
  const { server, origin } = await serve();
  let device: Device | null = null;
  const progress = new Progress(
    args,
    keeper(args.report, () => device),
  );
  const { command, quick, backend, only } = args;
  const browser = await chromium.launch({ executablePath, args: SWITCHES });
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(`In the page: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.location().url.endsWith('favicon.ico'))
        console.error(`In the page: ${message.text()} ${message.location().url}`);
    });
    const { row, failed, skipped } = progress.sinks;
    await page.exposeFunction('benchDevice', (found: Device): boolean => {
      device ??= found;
      return !(args.gpu && found.software);
    });
    await page.exposeFunction('benchSkipped', skipped);
    await page.exposeFunction('benchRow', row);
    await page.exposeFunction('benchFailed', failed);
    // a page for each backend: what a peer has compiled for one device must not meet the other
    // a quick look shares its time: on a software adapter WebGPU takes most of it
    const passes: readonly (Pick<Options, 'backend' | 'threads'> & { readonly share: number })[] = [
      { backend: 'webgpu', threads: true, share: 4 },
      { backend: 'cpu', threads: true, share: 1 },
      ...(['matmul', 'update', 'all'].includes(command) ? [{ backend: 'cpu', threads: false, share: 1 } as const] : []),
    ];
    const wanted = passes.filter((pass) => backend === 'both' || backend === pass.backend);
    for (const [k, { share, ...pass }] of wanted.entries()) {
      const shares = wanted.slice(k).reduce((sum, other) => sum + other.share, 0);
      const leftMs = (progress.leftMs * share) / shares;
      await page.goto(`${origin}/${pass.threads ? 'threads' : 'single'}/page.html`);
      const options: Options = { ...{ command, quick, only }, ...pass };
      await page.evaluate(([o, ms]): Promise<void> => window.runBench(o, ms), [options, leftMs] as const);
    }
    const measured = device as Device | null; // set by the page
    if (!measured) throw new Error('No page was opened.');
    if (args.gpu && measured.software) throw new Error(noHardware(measured.adapter));
    return { device: measured, rows: progress.rows, failures: progress.failures, skipped: progress.missed };
  } finally {
    await browser.close();
    server.close();
  }
}
