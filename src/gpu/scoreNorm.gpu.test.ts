import { expect, test } from 'vitest';
import { LimitExceeded } from './refused.ts';
import { CommandList, readBack, whole } from './recorder.ts';
import { scoreNormOf } from './scoreNorm.ts';
import { kernels } from './shaders/kernels.ts';
import { testDevice } from './testDevice.ts';

const gpu = await testDevice();

test('trajectories beyond the 65,535 workgroups of one axis have lengths of scores, too', async () => {
  const [B, pieces] = [65_600, 512];
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const owned: GPUBuffer[] = [];
  const filled = (values: Float32Array<ArrayBuffer>): GPUBuffer => {
    const buffer = gpu.buffer('batch', values.length, usage);
    gpu.device.queue.writeBuffer(buffer, 0, values);
    owned.push(buffer);
    return buffer;
  };
  const X = filled(new Float32Array(B).map((_, i) => i % 251));
  const dY = filled(new Float32Array(B).fill(3));
  const plan = filled(new Float32Array(2 * B).fill(1));
  const y = filled(new Float32Array(B).fill(-1));
  const layer = { S: 1, rows: B, maxRows: B, inputs: 1, out: 1, size: 0, weightAt: 0, biasAt: -1 };
  const { kernel, dims, groups } = scoreNormOf(layer, { B, T: 1 }, { at: 0, columns: 1 }, null);
  const list = new CommandList(gpu, 'scores', owned);
  await list.add(kernel, { X, dY, plan, y }, dims, groups);
  // the first piece has the first columns of both rows of workgroups: few enough for a slow device
  const encoder = gpu.device.createCommandEncoder();
  list.cut(0, pieces)[0]!(encoder);
  gpu.device.queue.submit([encoder.finish()]);
  const got = new Float32Array(await readBack(gpu, whole(y)));
  for (const buffer of owned) gpu.free(buffer);
  const done = Array.from(got, (_, i) => i).filter((i) => got[i] !== -1);
  expect(done.filter((i) => i >= 65_535)).toEqual(Array.from({ length: B - 65_535 }, (_, k) => 65_535 + k));
  expect(done.length).toBeLessThan(1000);
  for (const i of done) expect(got[i], `trajectory ${i}`).toBe((3 * (i % 251)) ** 2);
});

test('more workgroups along an axis than WebGPU has are refused when they are recorded', async () => {
  const x = gpu.buffer('batch', 4, GPUBufferUsage.STORAGE);
  const list = new CommandList(gpu, 'too many');
  const adds = (x_: number, y: number, z: number): Promise<void> =>
    list.add(kernels.fill, { x }, { count: 4, value: 1 }, [x_, y, z]);
  await expect(adds(1, 65_536, 1)).rejects.toBeInstanceOf(LimitExceeded);
  await expect(adds(1, 1, 65_536)).rejects.toBeInstanceOf(LimitExceeded);
  await expect(adds(65_536, 2, 1)).rejects.toBeInstanceOf(LimitExceeded);
  await adds(1, 65_535, 1);
  // 64 rows each, and no look at the row of workgroups
  const takes = (rows: number): Promise<void> =>
    list.add(kernels.threshold, { x, y: x }, { rows, least: 0 }, [Math.ceil(rows / 64)]);
  await expect(takes(65_535 * 64 + 1)).rejects.toThrow(
    'a row of workgroups (threshold) of 65536 is more than the 65535',
  );
  await takes(65_535 * 64);
  gpu.free(x);
  list.dispose();
});
