import { tensorsOf, type Tensors } from '../../contract/state.ts';
import { expect, test } from 'vitest';
import { testDevice } from '../../gpu/testDevice.ts';
import type { MetricId } from '../../slots/metrics/metrics.ts';
import { gpuBackendOn } from './gpuBackend.ts';
import { train } from '../sampleRun.ts';
import { openSmall, trainAlike } from '../../check/sideBySide.ts';

const gpu = await testDevice();

// every step is paid, so that the policy moves from the first update on
const igt = {
  ...{ 'optimizer.method': 'npgIgt', 'optimizer.learningRate': 0.2, 'reward.grid.step': -7 },
  ...{ 'objective.minibatches': 2, 'optimizer.clipNorm': 0.1 },
};
const COMPARED: readonly MetricId[] = [
  ...(['success', 'evalSuccess', 'entropy', 'ess', 'approxKL', 'gradNorm', 'policyLoss', 'updateNorm'] as const),
  ...(['weightNorm', 'gradTurn', 'klRef'] as const),
];

test.each([
  ['as it is', {}],
  [
    'KL stop and resets',
    {
      'control.klStop.on': true,
      'control.klStop.limit': 0.02,
      'objective.klCoef': 0.1,
      'control.resetEvery.on': true,
      'control.resetEvery.updates': 2,
    },
  ],
  [
    'shortened by the objective',
    { 'objective.method': 'vcpo', 'objective.vcpo.credit': 'advantage', 'rollout.staleness': 2 },
  ],
])('steps of a fixed length on the GPU agree with the CPU: %s', async (_, changes) => {
  const onGpu = await openSmall({ ...igt, ...changes }, gpu);
  const onCpu = await openSmall({ ...igt, ...changes });
  expect(onGpu.backend.kind).toBe('webgpu');
  await trainAlike(onGpu, onCpu, 4, COMPARED);
  const [a, b] = [(await onGpu.backend.save()).tensors, (await onCpu.backend.save()).tensors];
  for (const key of ['theta', 'm', 'v'] as const)
    expect(Math.max(...a[key].map((x, k) => Math.abs(x - b[key][k]!))), key).toBeLessThan(1e-4);
  onGpu.dispose();
});

test('a process model takes such steps, too', async () => {
  const changes = { ...igt, 'advantage.method': 'oprl', 'task.grid.level': 'corridor', 'task.grid.n': 4 };
  const onGpu = await openSmall(changes, gpu);
  const onCpu = await openSmall(changes);
  await trainAlike(onGpu, onCpu, 3, ['success', 'pairLoss', 'gradNorm', 'updateNorm']);
  const [a, b] = [await onGpu.backend.save(), await onCpu.backend.save()].map(({ tensors }) =>
    tensorsOf(tensors, 'process'),
  ) as [Tensors, Tensors];
  expect(Math.min(...b.steps)).toBeGreaterThan(0);
  expect(Math.max(...a.phi.map((x, k) => Math.abs(x - b.phi[k]!)))).toBeLessThan(1e-4);
  onGpu.dispose();
});

test('pause and resume in mid-run give the same bits, and so does a replica alone', async () => {
  const whole = await openSmall(igt, gpu);
  await train(whole, 4);
  const alone = await openSmall({ ...igt, 'run.seeds': 1, 'run.seed': whole.plan.seeds[1]! }, gpu);
  await train(alone, 2);
  await alone.restore(await alone.checkpoint(), gpuBackendOn(gpu));
  await train(alone, 2);
  const { size } = whole.plan.layout;
  for (const key of ['theta', 'm', 'v'] as const)
    expect((await alone.backend.save()).tensors[key]).toEqual((await whole.backend.save()).tensors[key].slice(size));
  whole.dispose();
  alone.dispose();
});
