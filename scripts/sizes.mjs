// Measures dist/ after gzip and compares it with the budgets. Run after the build.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { ROOT } from './lib/process.mjs';

/** Limits in kB (1,000 bytes) after gzip. */
// a worker counts with everything that it loads at once; the one that trains carries three environments and every
// estimator, and the kernels are all WGSL of the engine; both load beside the page, not before it, and the kernels only
// where there is a device to run them; they are several files, which compress a little less than the one they once were
// the editor is CodeMirror, which comes when someone writes a formula, with a plain field in its place until then
export const LIMITS = { firstLoad: 200, charts: 140, editor: 95, lazy: 40, worker: 180, kernels: 89 };

const gzip = (file) => gzipSync(readFileSync(file), { level: 9 }).length / 1000;

/** A script and all that it imports before it runs. */
function partsOf(dist, name, found = new Set()) {
  if (found.has(name)) return [];
  found.add(name);
  const text = readFileSync(join(dist, name), 'utf8');
  const imports = [...text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)].map((m) => `assets/${m[1]}`);
  for (const part of imports) partsOf(dist, part, found);
  return [...found];
}

/** Every budget with its measured size: [{ name, kB, limit, ok }]. Throws with a sentence when there is no build. */
export function measure(dist = join(ROOT, 'dist')) {
  const page = join(dist, 'index.html');
  if (!existsSync(page)) throw new Error('There is no build to measure; run npm run build first.');
  const html = readFileSync(page, 'utf8');
  const first = [...html.matchAll(/<(?:script|link)[^>]+(?:src|href)="\.?\/?(assets\/[^"]+\.js)"/g)].map((m) => m[1]);
  if (first.length === 0) throw new Error('The built page loads no script.');

  const scripts = readdirSync(join(dist, 'assets'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => `assets/${name}`);
  const workers = scripts
    .filter((name) => /[/.]worker-[^/]+\.js$/.test(name))
    .map((name) => ({ name, parts: partsOf(dist, name) }));
  const ofWorkers = new Set(workers.flatMap(({ parts }) => parts));
  const kindOf = (name) => {
    if (first.includes(name)) return 'firstLoad';
    if (/\/charts-[^/]+\.js$/.test(name)) return 'charts';
    if (/\/codeMirror-[^/]+\.js$/.test(name)) return 'editor';
    return 'lazy';
  };
  const rows = [
    {
      name: `first load (${first.length} files)`,
      kB: first.reduce((sum, name) => sum + gzip(join(dist, name)), 0),
      limit: LIMITS.firstLoad,
    },
  ];
  for (const { name, parts } of workers) {
    const kB = parts.reduce((sum, part) => sum + gzip(join(dist, part)), 0);
    rows.push({ name: `worker: ${name} (${parts.length} files)`, kB, limit: LIMITS.worker });
    // what a worker shares with the methods of one run must be in its base (vite.config.ts), or it loads them all
    const early = parts.filter((part) => /\/parts-[^/]+\.js$/.test(part));
    if (early.length > 0) {
      const size = early.reduce((sum, part) => sum + gzip(join(dist, part)), 0);
      rows.push({ name: `methods that ${name} loads at once: ${early.join(', ')}`, kB: size, limit: 0 });
    }
  }
  // what records a run on a device: the engine, and the recording of its network; a run has one
  const named = (what) => scripts.filter((name) => what.test(name));
  const engine = named(/\/gpuBackend-[^/]+\.js$/).flatMap((name) => partsOf(dist, name));
  const kernels = new Set(engine);
  for (const recording of named(/\/\w+OnGpu-[^/]+\.js$/)) {
    const own = [...new Set([...engine, ...partsOf(dist, recording)])].filter((name) => !ofWorkers.has(name));
    for (const name of partsOf(dist, recording)) kernels.add(name);
    const kB = own.reduce((sum, name) => sum + gzip(join(dist, name)), 0);
    rows.push({ name: `kernels with ${recording} (${own.length} files)`, kB, limit: LIMITS.kernels });
  }
  for (const name of scripts) {
    if (ofWorkers.has(name) || kernels.has(name)) continue;
    const kind = kindOf(name);
    if (kind !== 'firstLoad') rows.push({ name: `${kind}: ${name}`, kB: gzip(join(dist, name)), limit: LIMITS[kind] });
  }
  return rows.map((row) => ({ ...row, ok: row.kB <= row.limit }));
}

/** Prints the table; resolves to { passed, failed }. */
export function checkSizes() {
  const rows = measure();
  for (const { name, kB, limit, ok } of rows) {
    console.log(`${ok ? '  ok  ' : ' OVER '} ${kB.toFixed(1).padStart(7)} kB of ${limit} kB  ${name}`);
  }
  const failed = rows.filter((row) => !row.ok).length;
  return { passed: rows.length - failed, failed, skipped: 0 };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    process.exitCode = checkSizes().failed > 0 ? 1 : 0;
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
