/** One run of many updates in the built page: memory after each part of it, its pace, and whether all of it comes out again. */
import { readFileSync } from 'node:fs';
import { becomes, BUDGET, inMb, judged, lab, noErrors } from './soak.mjs';

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

/** Presses a button. Resolves to the content of the file that is downloaded then, and the most bytes that were measured up to there. */
export async function exported(page, button, measure) {
  const samples = [];
  let isDone = false;
  const measuring = (async () => {
    while (!isDone) {
      samples.push(await measure());
      // a collection stops the work that it measures
      await page.waitForTimeout(500);
    }
  })();
  const [file] = await Promise.all([
    page.waitForEvent('download', { timeout: 0 }).finally(() => (isDone = true)),
    page.getByRole('button', { name: button }).click(),
  ]);
  await measuring;
  const most = samples.reduce((a, b) => (a.page + a.workers > b.page + b.workers ? a : b));
  return { content: readFileSync(await file.path()), most };
}

/**
 * Trains in parts. Resolves to { samples, pace, updates, numbers, before, most, isWhole }: bytes at the end of each part, its
 * updates per second, numbers of the updates in the table, bytes before a bundle was made and the most while it was, and
 * whether the table is in it.
 */
export async function longRun(page, { updates, measure, say }) {
  await lab(page, 'load', { ...LONG, 'run.backend': 'cpu', 'run.updates': updates });
  await becomes(page, ['ready']);
  if ((await lab(page, 'state')).updates !== updates)
    throw new Error(`The page did not take a run of ${updates} updates.`);
  const samples = [];
  const pace = [];
  for (let part = 1; part <= PARTS; part++) {
    const from = (await lab(page, 'state')).update;
    const at = performance.now();
    await lab(page, 'run');
    await page.waitForFunction(
      (to) => window.lab.state().update >= to || window.lab.state().state === 'finished',
      Math.ceil((updates * part) / PARTS),
      { timeout: 0, polling: 100 },
    );
    const seconds = (performance.now() - at) / 1000;
    const { update, state } = await lab(page, 'state');
    if (state === 'running') await lab(page, 'pause');
    await becomes(page, ['paused', 'finished']);
    const bytes = await measure();
    samples.push(bytes);
    pace.push((update - from) / seconds);
    say(
      `update ${update}: page ${inMb(bytes.page)}, workers ${inMb(bytes.workers)}, ${pace.at(-1).toFixed(1)} updates a second`,
    );
  }
  await page.getByText('all curves as one table').click();
  const table = await exported(page, 'Download metrics.csv', measure);
  const numbers = table.content
    .toString()
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => Number(line.slice(0, line.indexOf(','))));
  await page.getByRole('button', { name: 'Share', exact: true }).first().click();
  await page.getByRole('dialog').getByRole('tab', { name: 'Files' }).click();
  const before = await measure();
  const { content, most } = await exported(page, 'Save bundle', measure);
  say(
    `a bundle of ${inMb(content.length)}: page ${inMb(most.page)}, workers ${inMb(most.workers)} at most while it was made; page ${inMb(before.page)}, workers ${inMb(before.workers)} before`,
  );
  return { samples, pace, updates, numbers, before, most, isWhole: content.includes(table.content) };
}

/** What was found, in sentences, and whether it is good. */
export function verdictOfLongRun({ samples, pace, updates, numbers, before, most, isWhole, wrong }) {
  const bytes = samples.map(({ page, workers }) => page + workers);
  const growth = bytes.at(-1) - bytes[1];
  const later = pace.slice(1);
  const uneven = Math.max(...later) / Math.min(...later);
  const there = new Set(numbers);
  const missing = Array.from({ length: updates }, (_, u) => u + 1).filter((u) => !there.has(u));
  const more = most.page + most.workers - before.page - before.workers;
  const checks = [
    [
      growth <= BUDGET,
      `memory grew by ${inMb(growth)} after the second of ${samples.length} parts; ${inMb(BUDGET)} are allowed`,
    ],
    [
      uneven <= UNEVEN,
      `the quickest part was ${uneven.toFixed(2)} times as quick as the slowest; ${UNEVEN} are allowed`,
    ],
    [missing.length === 0, `updates missing in the exported table: ${missing.length} of ${updates}`],
    [more <= BUDGET, `memory was ${inMb(more)} more while a bundle was made; ${inMb(BUDGET)} are allowed`],
    [isWhole, `the table is ${isWhole ? '' : 'not '}in the bundle`],
    noErrors(wrong),
  ];
  return judged(checks);
}
