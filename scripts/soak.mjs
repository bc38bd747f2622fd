// npm run soak: trains in the built page for minutes and fails when its memory grows. Not part of npm test.
//
//   npm run soak -- [--minutes 10] [--no-build]
//   npm run soak -- --updates 20000 [--runs 16] [--no-build]
//
// With --updates it is one run of so many updates with episodes of up to 512 steps: memory, pace, and the exported table; with
// --runs a comparison of so many quick runs of that length and its bundle.
// Without:
// Ten runs, two thirds of the time on the CPU path and the rest on WebGPU (in software where the machine has no GPU). After
// each the page goes back to its first experiment and is measured after a garbage collection: page, workers, GPU buffers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureChromium } from './chromium.mjs';
import { ensureInstalled } from './install.mjs';
import { ROOT, tool } from './lib/process.mjs';
import { heapsOf } from './lib/heaps.mjs';
import { longRun, verdictOfLongRun } from './lib/longRun.mjs';
import { longSweep, verdictOfLongSweep, VERSIONS } from './lib/longSweep.mjs';
import { becomes, COUNT_BUFFERS, lab, line, verdict } from './lib/soak.mjs';
import { serve } from './serve.mjs';

const MINUTE = 60_000;
/** Every world and kind of policy, one with a critic, one with old data. The first is the long one. */
const RUNS = [
  'key-door',
  'sokoban-one-box',
  'maze-two-rooms',
  'key-door-ppo',
  'old-data-ppo',
  'lesson-gigpo',
  'corridor',
];
const ON_GPU = ['key-door', 'key-door-ppo', 'sokoban-first-push'];
const QUIET = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run'];

const stateOf = (page) => lab(page, 'state');

async function buffersOf(page) {
  const sum = { buffers: 0, bytes: 0 };
  for (const worker of page.workers()) {
    const held = await worker.evaluate(() => self.heldBuffers?.() ?? { buffers: 0, bytes: 0 });
    sum.buffers += held.buffers;
    sum.bytes += held.bytes;
  }
  return sum;
}

/**
 * Buffers on the GPU once they are as wanted, or have been the same for a while: what was loaded is also measured on a
 * copy, which comes and goes.
 */
async function settledBuffers(page, isWanted = () => false) {
  let held = await buffersOf(page);
  for (let same = 0; same < 8 && !isWanted(held);) {
    await page.waitForTimeout(1000);
    const now = await buffersOf(page);
    same = now.buffers === held.buffers ? same + 1 : 0;
    held = now;
  }
  return held;
}

/** Bytes after a collection: the page, all workers, and the buffers on the GPU. */
async function measure(page, heaps, backend) {
  const gpu = backend === 'webgpu' ? await settledBuffers(page) : await buffersOf(page);
  return { ...(await heaps()), gpu };
}

/** The first experiment, prepared and untouched: the state in which runs are compared. */
async function rest(page, backend) {
  await lab(page, 'load', 'key-door');
  await lab(page, 'load', { 'run.backend': backend });
  await becomes(page, ['ready']);
}

/** What somebody does who watches: looks back, opens a dialog, closes it. */
async function lookAround(page) {
  await page.getByRole('button', { name: 'Help', exact: true }).first().click();
  await page.getByRole('button', { name: 'Close help' }).click();
  for (const key of ['Shift+ArrowLeft', 'Shift+ArrowLeft', 'End', 'h', 'h']) await page.keyboard.press(key);
}

/** Points of the longest curve that is drawn. */
const longestCurve = (page) =>
  page.evaluate(() => {
    const paths = [...document.querySelectorAll('.recharts-line-curve')];
    return Math.max(0, ...paths.map((path) => (path.getAttribute('d') ?? '').split(/[LC]/).length));
  });

/** Trains one experiment, again and again where it ends early, until its share of the time is over. */
async function trainFor(page, preset, backend, ms, isLong) {
  await lab(page, 'load', preset);
  await lab(page, 'load', { 'run.backend': backend, ...(isLong ? { 'run.updates': 20_000 } : {}) });
  await becomes(page, ['ready']);
  const until = performance.now() + ms;
  let updates = 0;
  let points = 0;
  while (performance.now() < until) {
    await lab(page, 'run');
    for (let at = 0; performance.now() < until; at++) {
      await page.waitForTimeout(Math.min(5000, Math.max(1, until - performance.now())));
      points = Math.max(points, await longestCurve(page));
      if ((await stateOf(page)).state !== 'running') break;
      if (at % 3 === 0) await lookAround(page);
    }
    if ((await stateOf(page)).state === 'running') await lab(page, 'pause');
    await becomes(page, ['paused', 'finished']);
    updates += (await stateOf(page)).update;
    await lab(page, 'reset');
    await becomes(page, ['ready']);
  }
  return { updates, points };
}

/** A page of the site in a browser of its own, and what went wrong in it; `act` gets both. */
async function inPage(site, backend, act) {
  const { chromium } = await import('playwright');
  const off = ['--disable-features=WebGPU,WebGPUService', '--disable-gpu'];
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH,
    args: [...QUIET, ...(backend === 'webgpu' ? ['--enable-unsafe-webgpu'] : off)],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const wrong = [];
    page.on('pageerror', (error) => wrong.push(error.message));
    await page.route('**/assets/*worker-*.js', async (route) => {
      const file = join(ROOT, 'dist', new URL(route.request().url()).pathname);
      const response = await route.fetch();
      await route.fulfill({ response, body: `${COUNT_BUFFERS}\n${readFileSync(file, 'utf8')}` });
    });
    // a first visit is held to a pace that one can watch
    await page.addInitScript(() => localStorage.setItem('horizon-lab.looks', '{"pace":null,"isCreditOpen":true}'));
    // nobody is there to answer a dialog
    await page.addInitScript(() => delete window.showSaveFilePicker);
    const heaps = await heapsOf(page);
    await page.goto(site.url);
    await becomes(page, ['ready']);
    return { ...(await act(page, () => measure(page, heaps, backend))), wrong };
  } finally {
    await browser.close();
  }
}

/** All runs of one kind of backend in one page; resolves to what was measured at rest. */
const part = (site, backend, presets, ms) =>
  inPage(site, backend, async (page, measure) => {
    // everything that is loaded or made once has been, before the first measurement
    await trainFor(page, presets[0], backend, Math.min(20_000, ms / 10), false);
    await rest(page, backend);
    const from = performance.now();
    const samples = [{ minutes: 0, ...(await measure()) }];
    console.log(line(`${backend}, at rest`, samples[0]));
    let points = 0;
    for (const [k, preset] of presets.entries()) {
      const done = await trainFor(page, preset, backend, ms / presets.length, k === 0);
      points = Math.max(points, done.points);
      await rest(page, backend);
      const sample = { minutes: (performance.now() - from) / MINUTE, ...(await measure()) };
      samples.push(sample);
      console.log(line(`${backend}, after ${preset} (${done.updates} updates)`, sample));
    }
    await rest(page, 'cpu');
    const left = (await settledBuffers(page, ({ buffers }) => buffers === 0)).buffers;
    return { backend, samples, points, left };
  });

async function main() {
  const { values } = parseArgs({
    options: {
      updates: { type: 'string' },
      runs: { type: 'string' },
      minutes: { type: 'string', default: '10' },
      'no-build': { type: 'boolean', default: false },
    },
  });
  const minutes = Number(values.minutes);
  const [updates, runs] = [Number(values.updates ?? 0), Number(values.runs ?? 0)];
  if (!Number.isInteger(updates) || updates < 0) throw new Error('The option --updates needs a whole number above 0.');
  if (!Number.isInteger(runs / VERSIONS) || runs < 0)
    throw new Error(`The option --runs needs a multiple of ${VERSIONS}.`);
  if (runs > 0 && updates === 0) throw new Error('The option --runs needs --updates.');
  if (!(minutes > 0)) throw new Error('The option --minutes needs a number above 0.');
  await ensureInstalled();
  process.env.CHROMIUM_PATH = await ensureChromium(true);
  if (!values['no-build']) {
    const { code } = await tool('vite', ['build', '--logLevel', 'warn'], { timeoutMs: 5 * MINUTE });
    if (code !== 0) throw new Error('The site could not be built; the lines above say why.');
  }
  const site = await serve({ dir: join(ROOT, 'dist') });
  try {
    if (updates > 0) {
      const say = (text) => console.log(text);
      const found = await inPage(site, 'cpu', (page, measure) =>
        runs > 0 ? longSweep(page, { runs, updates, measure, say }) : longRun(page, { updates, measure, say }),
      );
      const { sentences, ok } = runs > 0 ? verdictOfLongSweep(found) : verdictOfLongRun(found);
      console.log(sentences.join('\n'));
      return ok ? 0 : 1;
    }
    let failed = 0;
    for (const [backend, presets, share] of [
      ['cpu', RUNS, 2 / 3],
      ['webgpu', ON_GPU, 1 / 3],
    ]) {
      const { sentences, ok } = verdict(await part(site, backend, presets, minutes * share * MINUTE));
      for (const sentence of sentences) console.log(sentence);
      if (!ok) failed++;
    }
    return failed;
  } finally {
    await site.close();
  }
}

main().then(
  (failed) => {
    process.exitCode = failed > 0 ? 1 : 0;
  },
  (error) => {
    console.error(error.message);
    process.exitCode = 1;
  },
);
