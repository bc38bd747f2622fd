import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { thetaOf } from '../../contract/state.ts';
import { must } from '../../core/problem.ts';
import { openGpu } from '../../gpu/device.ts';
import { createRun } from '../run.ts';
import { gpuBackendOn } from './gpuBackend.ts';

/** 1,920 steps of 64 numbers: 480 KiB of activations and of gradients by them; gradients by weights in slices are larger. */
const config = configWith({
  'run.seeds': 1,
  'run.updates': 2,
  'rollout.tasksPerBatch': 8,
  'rollout.groupSize': 8,
  'task.grid.maxSteps': 30,
  'policy.mlp.hidden': [64],
  'analysis.evalEvery': 0,
});

test('arrays that are bound in ranges give the bits of a run that binds them whole', async () => {
  const gpu = must(await openGpu());
  const real = gpu.device.limits;
  let most = real.maxStorageBufferBindingSize;
  Object.defineProperty(gpu.device, 'limits', {
    get: () => ({
      maxStorageBufferBindingSize: most,
      maxStorageBuffersPerShaderStage: real.maxStorageBuffersPerShaderStage,
    }),
  });
  const trained = async (bytes: number): Promise<unknown> => {
    most = bytes;
    const run = must(await createRun(config, gpuBackendOn(gpu, false)));
    await run.submit();
    await run.submit();
    const found = [thetaOf(await run.backend.save()), await run.digest(), run.csv()];
    run.dispose();
    return found;
  };
  const whole = await trained(most);
  const compiled = gpu.pipelines.size;
  // every array that is as large as the activations in two ranges
  expect(await trained(450 * 1024)).toEqual(whole);
  const calls = (name: string): number => [...gpu.pipelines.keys()].filter((code) => code.includes(name)).length;
  for (const name of ['X', 'dY', 'dX', 'partials']) expect(calls(`${name}_0[`), name).toBeGreaterThan(0);
  expect(gpu.pipelines.size).toBeGreaterThan(compiled);
  expect(gpu.complaint).toBeNull();
  gpu.lose();
});
