import { expect, test } from 'vitest';
import { testDevice } from '../../src/gpu/testDevice.ts';
import { stepProblem } from '../problem.ts';
import { distance } from '../stats.ts';
import { expectedStep } from './stepCpu.ts';
import { oursStepGpu } from './stepGpu.ts';

const gpu = await testDevice();

test('the step that benchmarks time is a training step of the lab, on buffers of its own', async () => {
  const problem = stepProblem(65, 12, 8, 3);
  const step = await oursStepGpu(gpu, problem);
  expect(distance(await step.check(), expectedStep(problem))).toBeLessThan(2e-5);
  await step.dispose();
});
