import { expect, test } from 'vitest';
import { testDevice } from '../../gpu/testDevice.ts';
import { thetaOf } from '../../contract/state.ts';
import { openSmall, trainAlike } from '../../check/sideBySide.ts';

const gpu = await testDevice();

test.each([
  ['a critic, an odd memory', { 'policy.gru.hidden': 7, 'advantage.method': 'gae' }],
  [
    'minibatches, KL to the reference, a gradient that is cut, an even memory',
    {
      'policy.gru.hidden': 8,
      'policy.gru.unroll': 3,
      'advantage.method': 'gae',
      'objective.minibatches': 3,
      'objective.klCoef': 0.1,
      'objective.entropyCoef': 0.01,
    },
  ],
])('a recurrent network trains alike on the CPU and on WebGPU: %s', async (_name, changes) => {
  const all = { 'policy.method': 'gru', 'task.obsNoise': 40, ...changes };
  const [onGpu, onCpu] = [await openSmall(all, gpu), await openSmall(all)];
  const before = thetaOf(await onCpu.backend.save()).slice();
  await trainAlike(onGpu, onCpu, 3, ['entropy', 'gradNorm', 'ratioMax', 'approxKL', 'evalSuccess']);
  const [a, b] = [thetaOf(await onGpu.backend.save()), thetaOf(await onCpu.backend.save())];
  const far = (x: Float32Array, y: Float32Array): number => Math.max(...x.map((v, k) => Math.abs(v - y[k]!)));
  expect(far(b, before)).toBeGreaterThan(0.01);
  expect(far(a, b)).toBeLessThan(1e-3);
  onGpu.dispose();
  onCpu.dispose();
});

test('a run with a memory goes through a pause on WebGPU: same digest', async () => {
  const changes = { 'policy.method': 'gru', 'policy.gru.hidden': 5 };
  const [whole, first, second] = [
    await openSmall(changes, gpu),
    await openSmall(changes, gpu),
    await openSmall(changes, gpu),
  ];
  for (let u = 0; u < 4; u++) await whole.submit();
  for (let u = 0; u < 2; u++) await first.submit();
  await second.restore(await first.checkpoint());
  for (let u = 0; u < 2; u++) await second.submit();
  expect((await second.digest()).all).toBe((await whole.digest()).all);
  for (const run of [whole, first, second]) run.dispose();
});
