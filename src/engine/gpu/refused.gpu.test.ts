import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { openGpu } from '../../gpu/device.ts';
import { WorkRefused } from '../../gpu/refused.ts';
import { CommandList, readBack, whole } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { createRun } from '../run.ts';
import { gpuProblem } from './errors.ts';
import { gpuBackendOn } from './gpuBackend.ts';

const gpu = await testDevice();

const small = configWith({
  'rollout.tasksPerBatch': 2,
  'rollout.groupSize': 4,
  'run.seeds': 1,
  'task.grid.maxSteps': 5,
  'policy.mlp.hidden': [4],
});

/** This device as one with the limits that WebGPU guarantees and nothing more. */
async function guaranteed(): Promise<GPUAdapter> {
  const adapter = (await navigator.gpu.requestAdapter())!;
  const limits = { maxBufferSize: 2 ** 28, maxStorageBufferBindingSize: 2 ** 27, maxStorageBuffersPerShaderStage: 8 };
  return {
    info: adapter.info,
    features: new Set(),
    limits,
    requestDevice: (wish: GPUDeviceDescriptor) => adapter.requestDevice(wish),
  } as unknown as GPUAdapter;
}

test('a run whose arrays are larger than any buffer is refused in words before it begins, and frees what it had made', async () => {
  const own = must(await openGpu({ requestAdapter: guaranteed } as unknown as GPU));
  // 131,328 steps of 512 numbers: 256.5 MiB
  const large = configWith({
    'run.seeds': 1,
    'rollout.tasksPerBatch': 2052,
    'rollout.groupSize': 32,
    'task.grid.maxSteps': 2,
    'policy.mlp.hidden': [512],
  });
  const error = await createRun(large, gpuBackendOn(own, false)).catch((e: unknown) => e);
  expect(gpuProblem(error)).toMatchObject({ kind: 'outOfMemory', largest: 'activations' });
  expect([...own.bytes]).toEqual([]);
  expect(own.complaint).toBeNull();
  own.lose();
});

test('after work that the device refused nothing is read from it: no record, no checkpoint, no numbers', async () => {
  const own = must(await openGpu());
  const run = must(await createRun(small, gpuBackendOn(own)));
  await run.submit();
  own.refuse();
  const record = run.submit();
  await expect(record).rejects.toBeInstanceOf(WorkRefused);
  expect(gpuProblem(await record.catch((e: unknown) => e))).toMatchObject({ kind: 'workRefused' });
  expect(run.series.length).toBe(1);
  await expect(run.checkpoint()).rejects.toBeInstanceOf(WorkRefused);
  run.dispose();
  expect([...own.bytes]).toEqual([]);
  own.lose();
});

test('what the device finds wrong with a recorded list ends the recording, and the device stays in use', async () => {
  const x = gpu.buffer('batch', 4, GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST);
  const list = new CommandList(gpu, 'refused');
  const record = (): Promise<void> => list.add(kernels.fill, { x }, { count: 4, value: 1 }, [1]);
  await expect(gpu.checked(record)).rejects.toThrow(/usage/i);
  expect(gpu.complaint).toBeNull();
  expect((await readBack(gpu, whole(x))).byteLength).toBe(16);
  gpu.free(x);
  list.dispose();
});
