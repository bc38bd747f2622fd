import { expect, test } from 'vitest';
import { openDevice } from '../../src/train/gpu/sideBySide.ts';
import { stepProblem } from '../problem.ts';
import { distance } from '../stats.ts';
import { expectedStep } from './stepCpu.ts';
import { oursStepGpu } from './stepGpu.ts';

test('the step that benchmarks time is a training step of the lab, on buffers of its own', async () => {
  const gpu = await openDevice();
  const errors: string[] = [];
  gpu.device.addEventListener('uncapturederror', (event) => errors.push(event.error.message));
  const problem = stepProblem(65, 12, 8, 3);
  const step = await oursStepGpu(gpu, problem);
  expect(distance(await step.check(), expectedStep(problem))).toBeLessThan(2e-5);
  await step.dispose();
  expect(errors).toEqual([]);
  expect([...gpu.bytes].filter(([, bytes]) => bytes > 0)).toEqual([]);
  gpu.device.destroy();
});
