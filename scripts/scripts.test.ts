import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { get, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isInstalled, nodeProblem } from './install.mjs';
import { SECURITY_HEADERS } from './lib/headers.mjs';
import { precompress } from './lib/precompress.ts';
import { countPlaywright, countVitest, failuresOfPlaywright, failuresOfVitest } from './lib/steps.mjs';
import { fileOf, serve } from './serve.mjs';
import { measure } from './sizes.mjs';

const folder = () => mkdtempSync(join(tmpdir(), 'horizon-lab-'));

/** Descriptors of this process for files of that name; where a system does not say what they stand for, all of them. */
function openFiles(name: string): number {
  if (!existsSync('/proc/self/fd')) return readdirSync('/dev/fd').length;
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith(name);
    } catch {
      return false; // the one that listed them
    }
  }).length;
}

/** An answer as it came over the wire: `fetch` unpacks it. */
const raw = (url: string, accepted: string): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> =>
  new Promise((done, failed) => {
    const asked = get(url, { headers: { 'Accept-Encoding': accepted } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (bytes: Buffer) => parts.push(bytes));
      answer.on('end', () => done({ headers: answer.headers, body: Buffer.concat(parts) }));
    });
    asked.on('error', failed);
  });

describe('the server', () => {
  const dir = folder();
  let site: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    mkdirSync(join(dir, 'assets'));
    writeFileSync(join(dir, 'index.html'), '<p>page</p>');
    writeFileSync(join(dir, 'assets', 'a-1.js'), 'export {};');
    site = await serve({ dir });
  });
  afterAll(() => site.close());

  test('sends the security headers with pages, scripts and errors', async () => {
    for (const path of ['', 'assets/a-1.js', 'missing', '%zz']) {
      const answer = await fetch(site.url + path);
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(answer.headers.get(name)).toBe(value);
    }
  });

  test('names types, keeps hashed files for ever and asks again for the page', async () => {
    const page = await fetch(site.url);
    expect([page.status, await page.text()]).toEqual([200, '<p>page</p>']);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const script = await fetch(`${site.url}assets/a-1.js`);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('cache-control')).toContain('immutable');
    const again = await fetch(site.url, { headers: { 'If-None-Match': page.headers.get('etag')! } });
    expect(again.status).toBe(304);
  });

  test('sends the compressed form that the build made, where the browser takes it and the file is not newer', async () => {
    const packed = folder();
    mkdirSync(join(packed, 'assets'));
    const text = 'export const a = 1;\n'.repeat(200);
    const script = join(packed, 'assets', 'b-1.js');
    writeFileSync(script, text);
    writeFileSync(join(packed, 'small.js'), 'export {};');
    expect(precompress(packed)).toEqual([join('assets', 'b-1.js')]);
    const other = await serve({ dir: packed });
    const ask = (wanted: string): ReturnType<typeof raw> => raw(`${other.url}assets/b-1.js`, wanted);
    const [br, gzip, plain] = [await ask('gzip, deflate, br'), await ask('gzip;q=0.8, br;q=0'), await ask('deflate')];
    expect([br, gzip, plain].map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip', undefined]);
    expect(brotliDecompressSync(br.body).toString()).toBe(text);
    expect(gunzipSync(gzip.body).toString()).toBe(text);
    expect(plain.body.toString()).toBe(text);
    for (const { headers, body } of [br, gzip, plain]) {
      expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
      expect(headers['content-length']).toBe(String(body.length));
      expect(headers['vary']).toBe('Accept-Encoding');
    }
    expect(new Set([br, gzip, plain].map(({ headers }) => headers['etag'])).size).toBe(3);
    expect((await raw(`${other.url}small.js`, 'br')).headers['content-encoding']).toBeUndefined();
    const later = new Date(Date.UTC(2100, 0));
    utimesSync(script, later, later);
    expect((await ask('br')).headers['content-encoding']).toBeUndefined();
    await other.close();
  });

  test('never leaves its folder', () => {
    for (const address of ['/../x', '/%2e%2e/x', '/..%2fx', '/a/../../x', '/..\\x', '/%5c..', '/%00', '/%zz', 'x'])
      expect(fileOf('/site', address), address).toBeNull();
    expect(fileOf('/site', '/a/../b.js?q#f')).toBe('/site/b.js');
  });

  test('follows no link, wherever it leads, and serves a folder that is one', async () => {
    const other = folder();
    writeFileSync(join(other, 'secret.txt'), 'mine');
    const linked = join(folder(), 'site');
    symlinkSync(dir, linked);
    for (const [name, target] of [
      ['link.txt', join(other, 'secret.txt')],
      ['linked', other],
      ['inside.js', join(dir, 'assets', 'a-1.js')],
      ['lost.txt', join(other, 'nothing')],
    ] as const)
      symlinkSync(target, join(dir, name));
    const behind = await serve({ dir: linked });
    for (const url of [site.url, behind.url]) {
      for (const path of ['link.txt', 'linked/secret.txt', 'linked/', 'inside.js', 'lost.txt'])
        expect((await fetch(url + path)).status, path).toBe(404);
      expect((await fetch(`${url}assets/a-1.js`)).status).toBe(200);
    }
    await behind.close();
  });

  test('closes a file whose download is given up', async () => {
    // more than the buffers of a connection hold, so that it is never sent to its end
    writeFileSync(join(dir, 'large.bin'), new Uint8Array(32 << 20));
    const before = openFiles('large.bin');
    for (let n = 0; n < 20; n++) {
      const stop = new AbortController();
      const answer = await fetch(`${site.url}large.bin`, { signal: stop.signal });
      await answer.body!.getReader().read();
      stop.abort();
    }
    await expect.poll(() => openFiles('large.bin'), { timeout: 120_000 }).toBeLessThanOrEqual(before);
  });

  test('answers only GET and HEAD', async () => {
    expect((await fetch(site.url, { method: 'POST' })).status).toBe(405);
    const head = await fetch(site.url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '11', '']);
  });

  test('says the same as the header file for static hosts', () => {
    const file = readFileSync(join(import.meta.dirname, '..', 'public', '_headers'), 'utf8');
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(file).toContain(`  ${name}: ${value}\n`);
  });
});

describe('counting', () => {
  const report = (over = {}) => ({
    numPassedTests: 3,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [{ status: 'passed', assertionResults: [{}, {}, {}] }],
    ...over,
  });

  test('a vitest run counts its tests, and a file that did not load is a failure', () => {
    expect(countVitest(report(), 0)).toEqual({ passed: 3, failed: 0, skipped: 0 });
    const broken = report({ testResults: [{ status: 'failed', assertionResults: [] }] });
    expect(countVitest(broken, 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
  });

  test('a runner that executed nothing, wrote nothing or ended badly is a failure', () => {
    expect(countVitest(report({ numPassedTests: 0, testResults: [] }), 0).failed).toBe(1);
    expect(countVitest(null, 0).failed).toBe(1);
    expect(countVitest(report(), 1).failed).toBe(1);
    expect(countPlaywright({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 2 } }, 0)).toEqual({
      passed: 0,
      failed: 1,
      skipped: 2,
    });
  });

  test('what failed is named with its file and its cause', () => {
    const name = join(import.meta.dirname, '../src/a.test.ts');
    const failureMessages = ['Error: \u001B[31mexpected 2\u001B[39m\n  to be 3\n    at add (a.ts:1:1)'];
    const failed = {
      name,
      status: 'failed',
      assertionResults: [{ status: 'passed' }, { status: 'failed', fullName: 'it adds', failureMessages }],
    };
    const broken = { name, status: 'failed', message: 'no such file', assertionResults: [] };
    expect(failuresOfVitest(report({ testResults: [failed, broken] }))).toEqual([
      'src/a.test.ts: it adds (Error: expected 2 to be 3)',
      'src/a.test.ts did not load (no such file)',
    ]);
    const results = [{ error: { message: 'too late' } }];
    const spec = (status: string) => ({ file: 'a.spec.ts', line: 3, title: status, tests: [{ status, results }] });
    const suites = [{ specs: [spec('expected')], suites: [{ specs: [spec('flaky'), spec('unexpected')] }] }];
    expect(failuresOfPlaywright({ suites })).toEqual([
      'e2e/a.spec.ts:3 flaky (too late)',
      'e2e/a.spec.ts:3 unexpected (too late)',
    ]);
    expect([failuresOfVitest(null), failuresOfPlaywright(null)]).toEqual([[], []]);
  });

  test('a Playwright test that passed only on a retry is a failure', () => {
    const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 0 };
    expect(countPlaywright({ stats, errors: [] }, 1)).toEqual({ passed: 4, failed: 2, skipped: 0 });
  });
});

describe('installing', () => {
  const write = (root: string, packages: object, found?: object) => {
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
    if (!found) return;
    mkdirSync(join(root, 'node_modules', 'a'), { recursive: true });
    writeFileSync(join(root, 'node_modules', 'a', 'package.json'), '{}');
    writeFileSync(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: found }));
  };

  test('is needed without node_modules, with another version and with a missing package', () => {
    const a = { 'node_modules/a': { version: '1.0.0' } };
    const bare = folder();
    write(bare, { '': {}, ...a });
    expect(isInstalled(bare)).toBe(false);
    const done = folder();
    write(done, { '': {}, ...a, 'node_modules/b': { version: '1.0.0', optional: true } }, a);
    expect(isInstalled(done)).toBe(true);
    const newer = folder();
    write(newer, { 'node_modules/a': { version: '1.0.1' } }, a);
    expect(isInstalled(newer)).toBe(false);
    const more = folder();
    write(more, { ...a, 'node_modules/b': { version: '1.0.0' } }, a);
    expect(isInstalled(more)).toBe(false);
  });

  test('refuses a Node that the build tools do not run on', () => {
    expect(nodeProblem('18.20.0')).toMatch(/needs Node 20\.19 or newer; this is Node 18\.20\.0/);
    expect(nodeProblem('20.18.3')).not.toBeNull();
    expect(nodeProblem('20.19.0')).toBeNull();
    expect(nodeProblem('24.0.0')).toBeNull();
  });
});

test('a chunk over its budget is found', () => {
  const dist = folder();
  mkdirSync(join(dist, 'assets'));
  writeFileSync(join(dist, 'index.html'), '<script type="module" crossorigin src="./assets/index-1.js"></script>');
  // Random bytes do not compress: 60 kB fit the first load and the charts, but not another lazy chunk.
  writeFileSync(join(dist, 'assets', 'index-1.js'), crypto.getRandomValues(new Uint8Array(60_000)));
  writeFileSync(join(dist, 'assets', 'charts-1.js'), crypto.getRandomValues(new Uint8Array(60_000)));
  expect(measure(dist).map((row) => row.ok)).toEqual([true, true]);
  writeFileSync(join(dist, 'assets', 'table-1.js'), crypto.getRandomValues(new Uint8Array(60_000)));
  expect(measure(dist).map((row) => row.ok)).toEqual([true, true, false]);
});

test('a worker counts with what it imports before it runs', () => {
  const dist = folder();
  mkdirSync(join(dist, 'assets'));
  writeFileSync(join(dist, 'index.html'), '<script type="module" src="./assets/index-1.js"></script>');
  const chunk = (name: string, text: string): void => writeFileSync(join(dist, 'assets', name), text);
  const noise = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64');
  chunk('index-1.js', '');
  chunk('worker-1.js', 'import{a}from"./plan-1.js";import("./late-1.js");');
  chunk('plan-1.js', `import"./worker-1.js";export const a="${noise()}";`);
  chunk('late-1.js', '');
  const rows = measure(dist).slice(1);
  expect(rows.map((row) => row.name)).toEqual(['worker: assets/worker-1.js (2 files)', 'lazy: assets/late-1.js']);
  expect(rows[0]!.kB).toBeGreaterThan(59);
  expect(rows[0]!.ok).toBe(true);
  const more = ['b-1.js', 'c-1.js'];
  for (const name of more) chunk(name, `"${noise()}"`);
  chunk('worker-1.js', ['plan-1.js', ...more].map((name) => `import"./${name}";`).join(''));
  expect(measure(dist)[1]!.ok).toBe(false);
});

test('the lock file names the packages of all platforms, so that npm ci works on each', () => {
  const text = readFileSync(join(import.meta.dirname, '..', 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>;
  };
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`])
      .map((name) => `${path} → ${name}`),
  );
  expect(missing).toEqual([]);
});

test('every package of the lock file has a checksum, and none names the host it comes from', () => {
  const text = readFileSync(join(import.meta.dirname, '..', 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, { integrity?: string; resolved?: string }> };
  const entries = Object.entries(packages).filter(([path]) => path !== '');
  expect(entries.length).toBeGreaterThan(100);
  expect(entries.flatMap(([path, { integrity }]) => (integrity?.startsWith('sha512-') ? [] : [path]))).toEqual([]);
  expect(entries.flatMap(([path, { resolved }]) => (resolved === undefined ? [] : [path]))).toEqual([]);
});
