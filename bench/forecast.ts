import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright';

const FORECAST_USAGE = 'npm run bench -- forecast [--only NAME] [--backend cpu|webgpu] [--no-build]';

const LONGEST_MS = 1_800_000;
/** A copy is trained for seconds at most, on a busy machine some more. */
const PATIENCE_MS = 15_000;

type Case = { readonly name: string; readonly changes: Readonly<Record<string, unknown>> };

/** An empty room of 32×32 cells, and episodes of 64 steps there: what a map costs without what a level is about. */
const ROOM = { 'task.grid.level': 'empty', 'task.grid.n': 32, 'task.grid.maxSteps': 64 };
const MAZE = { 'task.method': 'textmaze', 'task.textmaze.level': 'tree', 'task.textmaze.rooms': 16 };
const ONE = { 'run.seeds': 1, 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 4 };

/** So many updates that the shortest run takes several seconds on a slow machine; the largest take minutes. */
const CASES: readonly Case[] = [
  { name: 'default experiment', changes: {} },
  { name: 'default, 2,000 updates', changes: { 'run.updates': 2000 } },
  {
    name: 'key and door, 64×8',
    changes: { 'rollout.tasksPerBatch': 64, 'rollout.groupSize': 8, 'run.updates': 150, 'run.seeds': 1 },
  },
  { name: 'grid 32×32, T 64', changes: { ...ROOM, 'run.seeds': 1, 'run.updates': 100 } },
  {
    name: 'grid 32×32, T 1,024',
    changes: { ...ROOM, 'task.grid.maxSteps': 1024, 'run.seeds': 1, 'run.updates': 60 },
  },
  { name: 'text maze, 16 rooms', changes: { ...MAZE, 'run.updates': 200 } },
  { name: '64 seeds', changes: { 'run.seeds': 64, 'run.updates': 60 } },
  {
    name: '65,536 environments, T 16',
    changes: {
      ...{ 'rollout.tasksPerBatch': 1024, 'rollout.groupSize': 64, 'task.grid.maxSteps': 16, 'run.seeds': 1 },
      ...{ 'policy.mlp.hidden': [16], 'run.updates': 8 },
    },
  },
  {
    name: 'GTrXL that reads 512 steps, T 600',
    changes: {
      ...{ ...ROOM, ...ONE, 'task.grid.maxSteps': 600, 'policy.method': 'gtrxl', 'run.updates': 8 },
      ...{ 'policy.gtrxl.memory': 448, 'policy.gtrxl.segment': 64 },
    },
  },
  {
    name: 'text transformer, context over 512',
    changes: { ...MAZE, ...ONE, 'policy.method': 'transformer', 'policy.transformer.history': 120, 'run.updates': 6 },
  },
];

type Api = { load(what: unknown): Promise<void>; run(): Promise<void>; state(): { state: string; update: number } };
type LabWindow = { readonly lab?: Api };

const becomes = (page: Page, wanted: readonly string[], ms: number): Promise<unknown> =>
  page.waitForFunction((of) => of.includes((window as LabWindow).lab?.state().state ?? ''), wanted, {
    ...{ timeout: ms, polling: 50 },
  });

/** What the page says before Run, and what the run then takes. */
async function measure(page: Page, { changes }: Case, backend: string): Promise<{ told: string; seconds: number }> {
  await page.evaluate(
    async ([preset, rest]) => {
      const { lab } = window as LabWindow;
      await lab!.load(preset);
      await lab!.load(rest);
    },
    ['key-door', { ...changes, 'run.backend': backend }] as const,
  );
  // until the speed is known it says "up to", as it goes on saying where a smaller copy was measured, or the whole takes a second
  const words = /takes (.*)/;
  const cost = page.locator('.runbar span', { hasText: words }).first();
  const isOpen = async (): Promise<boolean> =>
    !/takes \d/.test((await cost.textContent({ timeout: 1000 }).catch(() => '')) ?? '');
  for (const from = performance.now(); performance.now() < from + PATIENCE_MS && (await isOpen());)
    await page.waitForTimeout(250);
  const told = await cost.textContent({ timeout: 1000 }).catch(() => null);
  const from = performance.now();
  await page.evaluate(() => (window as LabWindow).lab!.run());
  await becomes(page, ['finished', 'failed'], LONGEST_MS);
  const { state } = await page.evaluate(() => (window as LabWindow).lab!.state());
  if (state !== 'finished') throw new Error(`A run ended as “${state}”.`);
  return { told: words.exec(told ?? '')?.[1] ?? 'nothing', seconds: (performance.now() - from) / 1000 };
}

function readWords(words: readonly string[]): { only: string; backend: string; noBuild: boolean } {
  const found = { only: '', backend: 'cpu', noBuild: false };
  for (let k = 0; k < words.length; k++) {
    const [word, value] = [words[k]!, words[k + 1] ?? ''];
    if (word === '--no-build') found.noBuild = true;
    else if (word === '--only') found.only = words[++k] ?? '';
    else if (word === '--backend' && (value === 'cpu' || value === 'webgpu')) found.backend = words[++k]!;
    else throw new Error(`There is no option ${word.slice(0, 40)} ${value.slice(0, 40)}. ${FORECAST_USAGE}`);
  }
  return found;
}

/** Trains experiments of many sizes in the built page, one after the other, and prints what it told before beside what they took. */
export async function forecast(root: string, words: readonly string[]): Promise<void> {
  const { only, backend, noBuild } = readWords(words);
  const from = (file: string): Promise<unknown> =>
    import(/* @vite-ignore */ pathToFileURL(join(root, 'scripts', file)).href);
  const { ensureChromium } = (await from('chromium.mjs')) as { ensureChromium(): Promise<string> };
  const { serve } = (await from('serve.mjs')) as {
    serve(of: { dir: string }): Promise<{ url: string; close(): Promise<void> }>;
  };
  const dist = join(root, 'dist');
  if (!noBuild || !existsSync(dist)) {
    const { build } = await import('vite');
    await build({ root, logLevel: 'error' });
  }
  const { chromium } = await import('playwright');
  const site = await serve({ dir: dist });
  const switches = backend === 'cpu' ? ['--disable-gpu'] : ['--enable-unsafe-webgpu'];
  const browser = await chromium.launch({
    ...{ executablePath: await ensureChromium(), args: ['--no-sandbox', '--no-first-run', ...switches] },
  });
  try {
    console.log(`\n| experiment | told before Run | taken, s |\n| --- | --- | --- |`);
    for (const one of CASES.filter(({ name }) => name.includes(only))) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      // a first visit is held to a pace that one can watch
      await page.addInitScript(() => localStorage.setItem('horizon-lab.looks', '{"pace":null,"isCreditOpen":true}'));
      await page.goto(site.url);
      await becomes(page, ['ready'], 60_000);
      const { told, seconds } = await measure(page, one, backend);
      console.log(`| ${one.name} | ${told} | ${seconds.toFixed(1)} |`);
      await page.close();
    }
  } finally {
    await browser.close();
    await site.close();
  }
}
