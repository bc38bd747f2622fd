import { thetaOf } from '../../contract/state.ts';
import { expect, test } from 'vitest';
import { testDevice } from '../../gpu/testDevice.ts';
import type { MetricId } from '../../slots/metrics/metrics.ts';
import { gpuBackendOn } from './gpuBackend.ts';
import { train } from '../sampleRun.ts';
import { openSmall, trainAlike } from '../../check/sideBySide.ts';

const gpu = await testDevice();

// ice throws the solver into a hole now and then: such an episode is the policy's own
const rlPlus = {
  ...{ 'objective.method': 'rlPlus', 'objective.rlPlus.demonstrations': 3, 'objective.aggregate': 'constant' },
  ...{ 'task.grid.maxSteps': 40, 'optimizer.learningRate': 0.03 },
};
const wide = { 'policy.mlp.hidden': [70, 8] };
const COMPARED: readonly MetricId[] = [
  ...(['success', 'evalSuccess', 'returnMean', 'lengthMean', 'lengthSuccess', 'lengthFailure', 'entropy'] as const),
  ...([
    'entropyNormalised',
    'entropyMarginal',
    'anchorShare',
    'degenerate',
    'mixedOutcomeGroups',
    'allFailed',
  ] as const),
  ...(['creditRms', 'creditMean', 'creditStd', 'creditPositive', 'ess', 'essStep', 'essGroup', 'essStart'] as const),
  ...(['klStart', 'approxKL', 'k1', 'k2', 'cov', 'ratioMax', 'ratioMean', 'klRef', 'gradNorm', 'policyLoss'] as const),
  ...(['updateNorm', 'explainedVariance'] as const),
];

test.each([
  ['one network', {}],
  [
    'minibatches, old batches, a reference',
    { 'rollout.staleness': 2, 'objective.minibatches': 3, 'objective.klCoef': 0.1 },
  ],
  [
    'step by step, KL in the reward, a critic, matched',
    {
      ...wide,
      'objective.klIn': 'reward',
      'objective.klCoef': 0.1,
      'advantage.method': 'gae',
      'revise.matchSize.on': true,
    },
  ],
  [
    'KL stop and greedy episodes',
    { 'control.klStop.on': true, 'control.klStop.limit': 0.001, 'advantage.method': 'remax' },
  ],
])('demonstrations on the GPU agree with the CPU: %s', async (_, changes) => {
  const onGpu = await openSmall({ ...rlPlus, ...changes }, gpu);
  const onCpu = await openSmall({ ...rlPlus, ...changes });
  expect(onGpu.backend.kind).toBe('webgpu');
  await trainAlike(onGpu, onCpu, 3, COMPARED);
  // evaluations in between, where nobody gives actions, change nothing of what a batch took
  for (const u of [0, 1, 2]) expect(onGpu.series.envSteps(u)).toBe(onCpu.series.envSteps(u));
  for (const s of [0, 1]) {
    const [a, b] = [await onGpu.backend.view(s), await onCpu.backend.view(s)];
    expect([...a.batch.measured!]).toEqual([...b.batch.measured!]);
    expect(a.batch.measured!).toContain(0);
    expect(Math.max(...a.delta.map((x, k) => Math.abs(x - b.delta[k]!)))).toBeLessThan(1e-3);
  }
  onGpu.dispose();
});

test('pause and resume in mid-run give the same bits, and so does a replica alone', async () => {
  const whole = await openSmall(rlPlus, gpu);
  await train(whole, 4);
  const alone = await openSmall({ ...rlPlus, 'run.seeds': 1, 'run.seed': whole.plan.seeds[1]! }, gpu);
  await train(alone, 2);
  await alone.restore(await alone.checkpoint(), gpuBackendOn(gpu));
  await train(alone, 2);
  expect((await alone.digest()).perSeed[0]).toBe((await whole.digest()).perSeed[1]);
  expect(thetaOf(await alone.backend.save())).toEqual(
    thetaOf(await whole.backend.save()).slice(whole.plan.layout.size),
  );
  whole.dispose();
  alone.dispose();
});
