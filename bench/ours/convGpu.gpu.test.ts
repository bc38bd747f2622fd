import { expect, test } from 'vitest';
import { testDevice } from '../../src/gpu/testDevice.ts';
import { convProblem } from '../convProblem.ts';
import { distance } from '../stats.ts';
import { expectedConvStep } from './convCpu.ts';
import { oursConvGpu } from './convGpu.ts';

const gpu = await testDevice();

test('the convolution step that benchmarks time is that of plain loops on a device, too', async () => {
  const problem = convProblem(130, {
    ...{ features: 60, board: { planes: 3, height: 4, width: 5 }, layers: 2, channels: 6, skip: false, hidden: 7 },
    ...{ actions: 4, critic: false },
  });
  const step = await oursConvGpu(gpu, problem);
  expect(distance(await step.check(), expectedConvStep(problem))).toBeLessThan(2e-5);
  await step.dispose();
});
