import { expect, test } from 'vitest';
import { presetById } from '../config/presets.ts';
import { METRICS, metricIndex } from '../slots/metrics/metrics.ts';
import { sampleRun, train } from './sampleRun.ts';

const SEEDS = 5;
const UPDATES = 64;

/** Success of every seed over the last eight updates, and the steps that were taken in the world. */
async function lateSuccess(changes: Readonly<Record<string, unknown>>): Promise<{ won: number[]; steps: number }> {
  const { changes: preset } = presetById('far-key-spear')!;
  const quick = { 'policy.method': 'tabular', 'optimizer.learningRate': 0.05, 'run.updates': UPDATES };
  const run = await sampleRun({ ...preset, ...quick, 'run.backend': 'cpu', ...changes });
  const records = await train(run, UPDATES);
  const late = records.slice(-8);
  const won = Array.from(
    { length: SEEDS },
    (_, s) => late.reduce((sum, { metrics }) => sum + metrics[s * METRICS + metricIndex.success]!, 0) / late.length,
  );
  return { won, steps: records.reduce((sum, { envSteps }) => sum + envSteps, 0) };
}

test('where two of five agents find nothing by themselves, episodes that come back help, at no more steps', async () => {
  const plain = await lateSuccess({ 'rollout.method': 'sampled' });
  const again = await lateSuccess({});
  const solved = await lateSuccess({ 'rollout.method': 'relift' });
  expect(plain.won.filter((x) => x < 0.05)).toHaveLength(2);
  // a success that came once is enough
  expect(again.won.filter((x) => x > 0.5).length).toBeGreaterThanOrEqual(4);
  again.won.forEach((x, s) => expect(x).toBeGreaterThan(plain.won[s]! - 0.05));
  // and where none comes, the solver's
  expect(Math.min(...solved.won)).toBeGreaterThan(0.8);
  expect(Math.max(again.steps, solved.steps)).toBeLessThanOrEqual(plain.steps);
  // a search does without the solver, for 4 % more steps
  const searched = await lateSuccess({ 'rollout.method': 'expertIteration' });
  expect(Math.min(...searched.won)).toBeGreaterThan(0.8);
  expect(searched.steps).toBeLessThan(1.05 * plain.steps);
});
