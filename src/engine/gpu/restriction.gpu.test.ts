import { thetaOf } from '../../contract/state.ts';
import { expect, test } from 'vitest';
import { testDevice } from '../../gpu/testDevice.ts';
import { METRICS, metricIndex, type MetricId } from '../../slots/metrics/metrics.ts';
import { gpuBackendOn } from './gpuBackend.ts';
import { train } from '../sampleRun.ts';
import { openSmall, trainAlike } from '../../check/sideBySide.ts';

const gpu = await testDevice();

// every step is paid, so that the policy moves from the first update on
const nlpo = {
  ...{ 'objective.method': 'nlpo', 'objective.nlpo.maskEvery': 2, 'objective.nlpo.topP': 0.7 },
  ...{ 'reward.grid.step': -7, 'optimizer.learningRate': 0.02 },
};
const hidden = { 'objective.nlpo.inTraining': false };
const words = {
  ...{ 'policy.method': 'transformer', 'policy.transformer.width': 8, 'policy.transformer.layers': 1 },
  ...{ 'policy.transformer.heads': 2, 'policy.transformer.history': 1 },
};
const COMPARED: readonly MetricId[] = [
  ...(['success', 'evalSuccess', 'entropy', 'entropyNormalised', 'ess', 'approxKL', 'gradNorm', 'policyLoss'] as const),
  ...(['updateNorm', 'klRef', 'maskedShare'] as const),
];

test.each([
  [{}],
  [{ 'objective.minibatches': 2, 'objective.klCoef': 0.1, 'objective.nlpo.minKeep': 2, 'objective.nlpo.topP': 0.3 }],
  [{ 'rollout.staleness': 2, 'advantage.method': 'remax', 'rollout.temperature': 1.3 }],
  [{ 'advantage.method': 'gae', 'policy.mlp.hidden': [] }],
  [{ ...hidden, 'advantage.method': 'remax' }],
  [words],
  [{ ...words, ...hidden, 'objective.minibatches': 2, 'rollout.temperature': 1.3 }],
])('masked actions on the GPU agree with the CPU: %j', async (changes) => {
  const onGpu = await openSmall({ ...nlpo, ...changes }, gpu);
  const onCpu = await openSmall({ ...nlpo, ...changes });
  expect(onGpu.backend.kind).toBe('webgpu');
  await trainAlike(onGpu, onCpu, 4, COMPARED);
  expect(onGpu.series.at(3, 1, metricIndex.maskedShare)).toBeGreaterThan(0.1);
  const [a, b] = [await onGpu.backend.view(1), await onCpu.backend.view(1)];
  expect(a.restriction).toHaveLength(b.restriction!.length);
  expect(Math.max(...a.restriction!.map((x, k) => Math.abs(x - b.restriction![k]!)))).toBeLessThan(1e-4);
  expect([...a.probs].map((p) => p > 0)).toEqual([...b.probs].map((p) => p > 0));
  onGpu.dispose();
});

test('something is masked, pause and resume in mid-run give the same bits, and so does a replica alone', async () => {
  const whole = await openSmall(nlpo, gpu);
  await train(whole, 3);
  const middle = await whole.checkpoint();
  expect(middle.state.tensors.mask).not.toEqual(thetaOf(middle.state));
  const [, record] = await train(whole, 2);
  for (let s = 0; s < 2; s++) expect(record!.metrics[s * METRICS + metricIndex.maskedShare]).toBeGreaterThan(0.1);
  const after = await whole.checkpoint();
  const alone = await openSmall({ ...nlpo, 'run.seeds': 1, 'run.seed': whole.plan.seeds[1]! }, gpu);
  await train(alone, 5);
  expect((await alone.digest()).perSeed[0]).toBe((await whole.digest()).perSeed[1]);
  await whole.restore(middle, gpuBackendOn(gpu));
  await train(whole, 2);
  expect((await whole.checkpoint()).state).toEqual(after.state);
  whole.dispose();
  alone.dispose();
});
