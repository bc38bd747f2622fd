/** A comparison of many long runs in the built page: memory while it trains and while its bundle is made, and what is in that. */
import { exported } from './longRun.mjs';
import { becomes, BUDGET, inMb, judged, lab, noErrors } from './soak.mjs';

/** What making a bundle may take besides: its report compares all runs at once, so some numbers of each are there together. */
export const FOR_BUNDLE = 3 * BUDGET;

/** Versions of the suggestion that is taken: there are as many runs for each seed. */
export const VERSIONS = 4;

/** Updates that take a fraction of a millisecond, as many of them are made. */
const QUICK = {
  'run.backend': 'cpu',
  'run.seeds': 1,
  'rollout.tasksPerBatch': 1,
  'rollout.groupSize': 6,
  'policy.method': 'tabular',
  'analysis.evalEvery': 50,
  'task.grid.level': 'corridor',
};

const all = ({ page, workers }) => page + workers;
const NAME = Buffer.from('/metrics.csv');

/** Tables in a bundle: each is named before its content and again in the directory at the end. */
function tablesIn(zip) {
  let names = 0;
  for (let at = zip.indexOf(NAME); at >= 0; at = zip.indexOf(NAME, at + 1)) names++;
  return names / 2;
}

/** Resolves to { runs, samples, before, most, size, tables }: bytes while it trained, before and while the bundle was made. */
export async function longSweep(page, { runs, updates, measure, say }) {
  await lab(page, 'load', 'key-door');
  await lab(page, 'load', QUICK);
  await becomes(page, ['ready']);
  const field = (name) => page.getByRole('spinbutton', { name, exact: true });
  await page.getByRole('button', { name: 'Compare settings' }).click();
  await page.getByRole('button', { name: 'Four estimators' }).click();
  await field('Seeds').fill(String(runs / VERSIONS));
  await field('Updates').fill(String(updates));
  await page.getByRole('button', { name: 'Start comparison' }).click();
  const done = page.getByText(/^\d+ of \d+ runs finished/).first();
  const samples = [];
  for (let finished = 0; finished < runs;) {
    await page.waitForTimeout(2000);
    const now = Number((await done.textContent()).match(/^\d+/)[0]);
    if (now === finished) continue;
    finished = now;
    const bytes = await measure();
    samples.push(bytes);
    say(`${finished} of ${runs} runs: page ${inMb(bytes.page)}, workers ${inMb(bytes.workers)}`);
  }
  await page.getByRole('link', { name: 'See results' }).click();
  await page.getByRole('button', { name: 'Select all' }).click();
  await page.getByRole('button', { name: 'Save bundle' }).waitFor();
  const before = await measure();
  const from = performance.now();
  const { content, most } = await exported(page, 'Save bundle', measure);
  const seconds = (performance.now() - from) / 1000;
  say(
    `a bundle of ${inMb(content.length)} in ${seconds.toFixed(0)} s: ${inMb(all(most))} at most, ${inMb(all(before))} before`,
  );
  return { runs, samples, before, most, tables: tablesIn(content) };
}

/** What was found, in sentences, and whether it is good. */
export function verdictOfLongSweep({ runs, samples, before, most, tables, wrong }) {
  const growth = all(samples.at(-1)) - all(samples[0]);
  const more = all(most) - all(before);
  return judged([
    [growth <= BUDGET, `memory grew by ${inMb(growth)} after the first finished run; ${inMb(BUDGET)} are allowed`],
    [more <= FOR_BUNDLE, `memory was ${inMb(more)} more while a bundle was made; ${inMb(FOR_BUNDLE)} are allowed`],
    [tables === runs, `tables in the bundle: ${tables} of ${runs}`],
    noErrors(wrong),
  ]);
}
