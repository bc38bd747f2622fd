import { expect, test } from 'vitest';
import { openSmall, trainAlike } from '../../check/sideBySide.ts';
import { thetaOf } from '../../contract/state.ts';
import { testDevice } from '../../gpu/testDevice.ts';

const gpu = await testDevice();

test.each([
  ['a map of the grid-world, a critic', { 'policy.conv.channels': 6, 'advantage.method': 'gae' }],
  [
    'a window with bits behind it, skip connections, minibatches',
    {
      ...{ 'task.grid.view': 'ego', 'task.grid.window': 3, 'task.grid.actions': 'turn', 'policy.conv.channels': 4 },
      ...{ 'policy.conv.layers': 3, 'policy.conv.skip': true, 'objective.minibatches': 3, 'objective.klCoef': 0.1 },
      ...{ 'advantage.method': 'gae' },
    },
  ],
  ['Sokoban', { 'task.method': 'sokoban', 'task.sokoban.maxSteps': 8, 'policy.conv.channels': 8 }],
])('a convolution network trains alike on the CPU and on WebGPU: %s', async (_name, changes) => {
  const all = { 'policy.method': 'conv', 'policy.conv.hidden': 13, 'task.obsNoise': 40, ...changes };
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
