import { replicasOf } from '../../contract/state.ts';
import { expect, test } from 'vitest';
import { testDevice } from '../../gpu/testDevice.ts';
import { METRICS, metricIndex, type MetricId } from '../../slots/metrics/metrics.ts';
import { Run } from '../run.ts';
import { gpuBackendOn } from './gpuBackend.ts';
import { train } from '../sampleRun.ts';
import { openSmall, trainAlike } from '../../check/sideBySide.ts';

const gpu = await testDevice();

const transformer = {
  'policy.method': 'transformer',
  'policy.transformer.width': 8,
  'policy.transformer.hidden': 12,
  'policy.transformer.layers': 1,
};
const GAE = { 'advantage.method': 'gae' };
const COMPARED: readonly MetricId[] = [
  ...(['success', 'evalSuccess', 'entropy', 'ess', 'approxKL', 'gradNorm', 'policyLoss', 'valueLoss'] as const),
  ...(['staleness', 'stalenessMax', 'staleOver', 'ageSteps', 'essStart', 'explainedVariance', 'maskedShare'] as const),
  ...(['simTime', 'speedUp', 'queueLength'] as const),
];

// With rounding only the first update is compared: see past.gpu.test.ts.
test.each([
  ['mixed', { 'rollout.ages': 'mixed', ...GAE }, 4],
  ['interrupted, greedy baseline', { 'rollout.ages': 'interrupted', 'advantage.method': 'remax' }, 4],
  ['interrupted, two values', { 'rollout.ages': 'interrupted', ...GAE, 'policy.critics': 'double' }, 4],
  ['a queue', { 'rollout.ages': 'queue', 'rollout.generators': 5, ...GAE }, 4],
  ['wide layers', { 'rollout.ages': 'interrupted', 'policy.mlp.hidden': [70], ...GAE }, 3],
  ['surveyed minibatches', { 'rollout.ages': 'interrupted', 'objective.method': 'decoupled' }, 2],
  ['restricted actions', { 'rollout.ages': 'mixed', 'objective.method': 'nlpo', 'objective.nlpo.maskEvery': 1 }, 3],
  ['commands, mixed', { ...transformer, 'rollout.ages': 'mixed', ...GAE }, 3],
  ['commands, interrupted', { ...transformer, 'rollout.ages': 'interrupted' }, 3],
  ['eight bits', { 'rollout.ages': 'queue', 'rollout.rolloutPrecision': 'int8' }, 1],
] as const)('the GPU agrees with the CPU where several versions play a batch: %s', async (_, changes, updates) => {
  const all = { 'rollout.staleness': 2, ...changes };
  const [onGpu, onCpu] = [await openSmall(all, gpu), await openSmall(all)];
  expect(onGpu.backend.kind).toBe('webgpu');
  await trainAlike(onGpu, onCpu, updates, COMPARED);
  const [mine, theirs] = [await onGpu.backend.view(1), await onCpu.backend.view(1)];
  theirs.theta.forEach((w, k) => expect(Math.abs(mine.theta[k]! - w)).toBeLessThan(1e-4));
  expect(mine.versions!.of).toEqual(theirs.versions!.of);
  expect(mine.versions!.weights.length).toBe(theirs.versions!.weights.length);
  theirs.versions!.weights.forEach((weights, v) =>
    weights.forEach((w, k) => expect(Math.abs(mine.versions!.weights[v]![k]! - w)).toBeLessThan(1e-4)),
  );
  theirs.batch.valueFinal.forEach((v, i) => expect(Math.abs(mine.batch.valueFinal[i]! - v)).toBeLessThan(1e-4));
  onGpu.dispose();
});

test.each([{}, transformer])('where every age is the same the bits are those of one version: %o', async (kind) => {
  const bound = { ...kind, 'rollout.staleness': 1, 'optimizer.learningRate': 0 };
  const states = [];
  // all versions are equal; what differs is who plays when
  for (const ages of ['fixed', 'mixed', 'interrupted']) {
    const run = await openSmall({ ...bound, 'rollout.ages': ages }, gpu);
    const records = await train(run, 2);
    states.push(records.map(({ hash, metrics }) => [...hash, metrics[metricIndex.entropy], metrics[METRICS]]));
    run.dispose();
  }
  expect(states[1]).toEqual(states[0]);
  expect(states[2]).toEqual(states[0]);
});

test('a run on data of several ages goes on exactly after a pause, and a replica alone is the replica among others', async () => {
  const changes = { 'rollout.staleness': 3, 'rollout.ages': 'queue', 'rollout.rolloutPrecision': 'int8', ...GAE };
  const whole = await openSmall(changes, gpu);
  await train(whole, 4);
  const middle = await whole.checkpoint();
  const rest = await train(whole, 3);
  const again = await Run.create(whole.plan, gpuBackendOn(gpu), middle);
  expect(await train(again, 3)).toEqual(rest);
  expect((await again.checkpoint()).state).toEqual((await whole.checkpoint()).state);
  expect(rest[2]!.metrics[metricIndex.staleness]).toBeGreaterThan(0);
  const alone = await openSmall({ ...changes, 'run.seeds': 1, 'run.seed': whole.plan.seeds[1]! }, gpu);
  await train(alone, 7);
  const { state } = await whole.checkpoint();
  expect((await alone.checkpoint()).state).toEqual(replicasOf(state, 2, 1, 1));
  for (const run of [whole, again, alone]) run.dispose();
});
