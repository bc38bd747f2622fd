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
const COMPARED: readonly MetricId[] = [
  ...(['success', 'evalSuccess', 'entropy', 'ess', 'approxKL', 'gradNorm', 'policyLoss', 'essStart'] as const),
  ...([
    'staleness',
    'stalenessMax',
    'staleOver',
    'clipFraction',
    'updateNorm',
    'klMismatch',
    'mismatchMax',
    'ageSteps',
    'klStart',
  ] as const),
  ...(['entropyMarginal', 'infoAS', 'entropyNormalised', 'entropyMost', 'entropyToken', 'entropyPlain'] as const),
];

// One ulp of a weight may fall on the other side of a rounding step of four bits and move it by a seventh of its row:
// with rounding only the first update is compared, before any training has moved the weights apart.
test.each([
  ['two updates old, with a critic', { 'rollout.staleness': 2, 'advantage.method': 'gae' }, 4],
  ['greedy baseline', { 'rollout.staleness': 2, 'advantage.method': 'remax' }, 4],
  ['several minibatches', { 'rollout.staleness': 2, 'objective.minibatches': 3, 'rollout.temperature': 2 }, 4],
  ['commands, one update old', { ...transformer, 'rollout.staleness': 1, 'objective.minibatches': 2 }, 3],
  ['half floats', { 'rollout.rolloutPrecision': 'f16' }, 1],
  ['four bits on both sides', { 'rollout.rolloutPrecision': 'int4', 'rollout.unifiedPrecision': true }, 1],
  ['commands, four bits', { ...transformer, 'rollout.rolloutPrecision': 'int4' }, 1],
] as const)('the GPU agrees with the CPU on old and coarse data: %s', async (_, changes, updates) => {
  const onGpu = await openSmall(changes, gpu);
  const onCpu = await openSmall(changes);
  await trainAlike(onGpu, onCpu, updates, COMPARED);
  const mine = await onGpu.backend.view(1);
  const theirs = await onCpu.backend.view(1);
  theirs.theta.forEach((w, k) => expect(Math.abs(mine.theta[k]! - w)).toBeLessThan(1e-4));
  onGpu.dispose();
});

test.each([
  ['four bits', { 'rollout.rolloutPrecision': 'int4' }],
  ['half floats', { 'rollout.rolloutPrecision': 'f16' }],
  ['eight bits, a survey', { 'rollout.rolloutPrecision': 'int8', 'objective.method': 'decoupled' }],
  ['commands, four bits', { ...transformer, 'rollout.rolloutPrecision': 'int4' }],
] as const)('how far what plays is from what training sees is that of the CPU: %s', async (_, changes) => {
  const [onGpu, onCpu] = [await openSmall(changes, gpu), await openSmall(changes)];
  const [[mine], [theirs]] = [await train(onGpu, 1), await train(onCpu, 1)];
  for (let s = 0; s < 2; s++) {
    const at = s * METRICS + metricIndex.klMismatch;
    const want = theirs!.metrics[at]!;
    expect(want).toBeGreaterThan(0);
    // probabilities have an error of some 1e-7, which counts in proportion to how far they moved
    expect(Math.abs(mine!.metrics[at]! - want), `${mine!.metrics[at]} against ${want}`).toBeLessThan(
      0.01 * want + 1e-6 * Math.sqrt(want),
    );
    const most = s * METRICS + metricIndex.mismatchMax;
    expect(theirs!.metrics[most]).toBeGreaterThan(Math.sqrt(want));
    expect(Math.abs(mine!.metrics[most]! - theirs!.metrics[most]!)).toBeLessThan(1e-5 + 1e-4 * theirs!.metrics[most]!);
  }
  onGpu.dispose();
  onCpu.dispose();
});

test('a run on old data goes on exactly after a pause', async () => {
  const changes = { 'rollout.staleness': 3, 'rollout.rolloutPrecision': 'int8', 'rollout.unifiedPrecision': true };
  const whole = await openSmall(changes, gpu);
  await train(whole, 4);
  const middle = await whole.checkpoint();
  await train(whole, 3);
  const again = await Run.create(whole.plan, gpuBackendOn(gpu), middle);
  await train(again, 3);
  expect((await again.checkpoint()).state).toEqual((await whole.checkpoint()).state);
  whole.dispose();
  again.dispose();
});
