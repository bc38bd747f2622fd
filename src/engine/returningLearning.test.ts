import { beforeAll, expect, test } from 'vitest';
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

/** What the same agents learn without any of it. */
let plain: Awaited<ReturnType<typeof lateSuccess>>;
beforeAll(async () => {
  plain = await lateSuccess({ 'rollout.method': 'sampled' });
});

test('where two of five agents find nothing by themselves, episodes that come back help, at no more steps', async () => {
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

test('hints get one of two stuck agents going, which then needs none; they cost about twice the steps', async () => {
  const { changes } = presetById('far-key-hints')!;
  const successOf = async (own: Readonly<Record<string, unknown>>) => {
    const run = await sampleRun({ ...changes, 'run.backend': 'cpu', ...own });
    const records = await train(run, 100);
    const meanOf = (name: 'evalSuccess' | 'rounds', s: number): number => {
      const late = records.slice(-15).map(({ metrics }) => metrics[s * METRICS + metricIndex[name]]!);
      const measured = late.filter((x) => !Number.isNaN(x));
      return measured.reduce((a, b) => a + b, 0) / measured.length;
    };
    const seeds = Array.from({ length: SEEDS }, (_, s) => s);
    return {
      won: seeds.map((s) => meanOf('evalSuccess', s)),
      rounds: seeds.map((s) => meanOf('rounds', s)),
      steps: records.reduce((sum, { envSteps }) => sum + envSteps, 0),
    };
  };
  const plain = await successOf({ 'rollout.method': 'sampled', 'task.hints.on': false });
  const hinted = await successOf({});
  expect(plain.won.filter((x) => x < 0.05)).toHaveLength(2);
  // evaluations have no hints
  expect(hinted.won.filter((x) => x > 0.8)).toHaveLength(4);
  expect(hinted.rounds.filter((x) => x < 2)).toHaveLength(4);
  expect(hinted.steps).toBeLessThan(2.2 * plain.steps);
});

test('failures that the solver repairs teach all five agents, with fewer steps than fresh episodes take', async () => {
  const repaired = await lateSuccess({
    ...{ 'rollout.method': 'oracleRepair', 'rollout.oracleRepair.tail': 'oracle' },
  });
  expect(Math.min(...repaired.won)).toBeGreaterThan(0.8);
  expect(repaired.steps).toBeLessThan(plain.steps);
});
