import { expect, test } from 'vitest';
import { iqm } from './core/stats.ts';
import { metricIndex } from './slots/metrics/metrics.ts';
import { outcomeOf, outcomeWords } from './engine/outcome.ts';
import { sampleRun, train } from './engine/sampleRun.ts';
import { csvOf, rowsOf } from './ui/charts/rows.ts';
import { value } from './ui/format.ts';

test('page and command line say the same of a run: number of the update, success, evaluation and best', async () => {
  const run = await sampleRun({
    'run.updates': 8,
    'run.seeds': 3,
    'analysis.evalEvery': 3,
    'policy.method': 'tabular',
  });
  await train(run, 8);
  const frame = { S: run.plan.S, ...run.series.thin(400) };
  const rows = rowsOf(frame, metricIndex.success, 'update');
  const evaluated = rowsOf(frame, metricIndex.evalSuccess, 'update');
  const best = evaluated.reduce((a, b) => (b.iqm! > a.iqm! ? b : a));
  expect(evaluated.map(({ x }) => x)).toEqual([0, 3, 6, 7]);
  expect(outcomeWords(outcomeOf(run.series), 3)).toBe(
    `training success ${value(rows.at(-1)!.iqm)} in update ${rows.at(-1)!.x}, ` +
      `evaluation success ${value(evaluated.at(-1)!.iqm)} after update ${evaluated.at(-1)!.x}, ` +
      `best evaluation ${value(best.iqm)} after update ${best.x} (interquartile means of 3 seeds)`,
  );
  expect(rows.at(-1)!.x).toBe(run.updates);
  // the file of one chart and the table of all of them: the same lines
  const whole = run
    .csv()
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const column = whole[0]!.indexOf('evalSuccess');
  const ofChart = csvOf(frame, metricIndex.evalSuccess, 'evalSuccess', 0).trim().split('\n').slice(1);
  for (const line of ofChart) {
    const [update, steps, ...values] = line.split(',');
    const same = whole.filter((cells) => cells[0] === update);
    expect(same.map((cells) => cells[2])).toEqual(values.map(() => steps));
    expect(iqm(same.map((cells) => Number(cells[column])))).toBeCloseTo(iqm(values.map(Number)), 6);
  }
});
