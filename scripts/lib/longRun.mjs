/** One run of many updates in the built page: memory after each part of it, its pace, and whether all of it comes out again. */
import { readFileSync } from 'node:fs';
import { BUDGET } from './soak.mjs';

const MB = 1e6;
/** Parts whose memory and pace are compared. Nothing is compared with the first: there the kernels are compiled and the policy learns. */
const PARTS = 10;
/** A part may take so many times as long as the quickest of them. */
export const UNEVEN = 1.5;

/** Episodes of up to 512 steps, few enough of them for many updates in a quarter of an hour. */
const LONG = {
  'task.grid.level': 'fourRooms',
  'task.grid.maxSteps': 512,
  'rollout.tasksPerBatch': 1,
  'rollout.groupSize': 4,
  'run.seeds': 1,
  'policy.mlp.hidden': [16],
};

/** Trains in parts. Resolves to { samples, pace, updates, rows }: bytes at the end of each part, its updates per second, rows of the table. */
export async function longRun(page, { updates, measure, say }) {
  const lab = (name, ...args) => page.evaluate(([n, a]) => window.lab[n](...a), [name, args]);
  const becomes = (states) =>
    page.waitForFunction((wanted) => wanted.includes(window.lab?.state().state), states, { timeout: 0 });
  await lab('load', { ...LONG, 'run.backend': 'cpu', 'run.updates': updates });
  await becomes(['ready']);
  if ((await lab('state')).updates !== updates) throw new Error(`The page did not take a run of ${updates} updates.`);
  const samples = [];
  const pace = [];
  for (let part = 1; part <= PARTS; part++) {
    const from = (await lab('state')).update;
    const at = performance.now();
    await lab('run');
    await page.waitForFunction(
      (to) => window.lab.state().update >= to || window.lab.state().state === 'finished',
      Math.ceil((updates * part) / PARTS),
      { timeout: 0, polling: 100 },
    );
    const seconds = (performance.now() - at) / 1000;
    const { update, state } = await lab('state');
    if (state === 'running') await lab('pause');
    await becomes(['paused', 'finished']);
    const bytes = await measure();
    samples.push(bytes);
    pace.push((update - from) / seconds);
    say(
      `update ${update}: page ${(bytes.page / MB).toFixed(1)} MB, workers ${(bytes.workers / MB).toFixed(1)} MB, ${pace.at(-1).toFixed(1)} updates a second`,
    );
  }
  await page.evaluate(() => document.querySelectorAll('details').forEach((d) => (d.open = true)));
  const [file] = await Promise.all([
    page.waitForEvent('download', { timeout: 0 }),
    page.getByRole('button', { name: 'Download metrics.csv' }).click(),
  ]);
  const numbers = readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => Number(line.slice(0, line.indexOf(','))));
  return { samples, pace, updates, numbers };
}

/** What was found, in sentences, and whether it is good. */
export function verdictOfLongRun({ samples, pace, updates, numbers, wrong }) {
  const bytes = samples.map(({ page, workers }) => page + workers);
  const growth = bytes.at(-1) - bytes[1];
  const later = pace.slice(1);
  const uneven = Math.max(...later) / Math.min(...later);
  const there = new Set(numbers);
  const missing = Array.from({ length: updates }, (_, u) => u + 1).filter((u) => !there.has(u));
  const checks = [
    [
      growth <= BUDGET,
      `memory grew by ${(growth / MB).toFixed(1)} MB after the second of ${samples.length} parts; ${BUDGET / MB} MB are allowed`,
    ],
    [
      uneven <= UNEVEN,
      `the quickest part was ${uneven.toFixed(2)} times as quick as the slowest; ${UNEVEN} are allowed`,
    ],
    [missing.length === 0, `updates missing in the exported table: ${missing.length} of ${updates}`],
    [wrong.length === 0, `uncaught errors: ${wrong.length === 0 ? 'none' : wrong.join('; ')}`],
  ];
  return {
    ok: checks.every(([ok]) => ok),
    sentences: checks.map(([ok, text]) => `${ok ? '  ok  ' : ' FAIL '} ${text}`),
  };
}
