import { expect, test } from 'vitest';
import { presetById, presetConfig } from '../config/presets.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import { createRun } from './run.ts';

/** Success of an evaluation from the start of the whole task after so many updates, of every seed. */
async function evaluated(preset: string, updates: number, changes: object = {}): Promise<readonly number[]> {
  const own = { 'run.backend': 'cpu', 'analysis.evalEvery': 5, ...changes };
  const run = must(await createRun(configWith(own, presetConfig(presetById(preset)!))));
  while (run.update < updates) await run.submit();
  const last = Array.from({ length: run.plan.S }, (_, s) => run.series.at(updates - 1, s, metricIndex.evalSuccess));
  run.dispose();
  return last;
}

// evaluations stand after the updates 1, 6, 11, …; the CPU path gives equal bits everywhere
test.each([
  ['from the goal outwards', 'corridor-outwards'],
  ['where skills are weak (EnvGen)', 'corridor-skills'],
])('episodes that begin %s teach the whole corridor of 40 to five of five seeds', async (_, preset) => {
  const last = await evaluated(preset, 56);
  expect(last).toHaveLength(5);
  expect(Math.min(...last), last.join(' ')).toBeGreaterThanOrEqual(0.9);
});

test('with all episodes from the start, the same learner never gets there', async () => {
  const last = await evaluated('corridor-outwards', 26, { 'source.method': 'uniform' });
  expect(last).toEqual([0, 0, 0, 0, 0]);
});
