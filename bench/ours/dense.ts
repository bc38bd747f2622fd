import type { Gpu } from '../../src/gpu/device.ts';
import { forwardForm, forwardProduct } from '../../src/gpu/products.ts';
import { CommandList, readBack } from '../../src/gpu/recorder.ts';
import { tune } from '../../src/gpu/tune.ts';
import type { Contender } from '../types.ts';

/** STORAGE | COPY_SRC | COPY_DST by value: the global with the names exists only beside a GPU. */
export const STORAGE = 0x80 | 0x04 | 0x08;

/** A storage buffer that holds `data`, or `floats` zeros. */
export function storage(gpu: Gpu, owned: GPUBuffer[], data: Float32Array | Uint32Array | number): GPUBuffer {
  const buffer = gpu.buffer('bench', typeof data === 'number' ? data : data.length, STORAGE);
  if (typeof data !== 'number') gpu.device.queue.writeBuffer(buffer, 0, data as Float32Array<ArrayBuffer>);
  owned.push(buffer);
  return buffer;
}

/** Waits until everything submitted so far is done: four bytes come back. */
export async function settle(gpu: Gpu, buffer: GPUBuffer): Promise<void> {
  await readBack(gpu, { buffer, offset: 0, size: 4 });
}

export const readFloats = async (gpu: Gpu, buffer: GPUBuffer, floats: number): Promise<Float32Array> =>
  new Float32Array(await readBack(gpu, { buffer, offset: 0, size: floats * 4 }));

/** Submits a list `times` times, a few in one command buffer while their work is small. */
export function submitTimes(gpu: Gpu, list: CommandList, times: number): void {
  for (let k = 0; k < times; k++) {
    const encoder = gpu.device.createCommandEncoder({ label: 'bench' });
    list.encode(encoder);
    gpu.device.queue.submit([encoder.finish()]);
  }
}

/** Runs `record` under an error scope: a kernel that is invalid here fails the row instead of being fast. */
export async function recorded<T>(gpu: Gpu, record: () => Promise<T>): Promise<T> {
  gpu.device.pushErrorScope('validation');
  const made = await record();
  const error = await gpu.device.popErrorScope();
  if (error) throw new Error(error.message);
  return made;
}

/** C [m, n] = A [m, k] · B [k, n] with the product of the forward pass, in the form that suits shape and device. */
export async function oursProduct(
  gpu: Gpu,
  m: number,
  k: number,
  n: number,
  A: Float32Array,
  B: Float32Array,
): Promise<Contender> {
  const owned: GPUBuffer[] = [];
  const [X, W, Y] = [storage(gpu, owned, A), storage(gpu, owned, B), storage(gpu, owned, m * n)];
  const list = new CommandList(gpu, 'product', owned);
  const layer = { S: 1, rows: m, maxRows: m, inputs: k, out: n, size: k * n, weightAt: 0, biasAt: -1 };
  const form = forwardForm(layer, await tune(gpu));
  const { kernel, dims, groups } = forwardProduct(layer, form, 'none', false);
  await recorded(gpu, () => list.add(kernel, { X, theta: W, Y }, dims, groups));
  return {
    name: 'ours',
    async run(times) {
      submitTimes(gpu, list, times);
      await settle(gpu, Y);
    },
    async check() {
      submitTimes(gpu, list, 1);
      return readFloats(gpu, Y, m * n);
    },
    dispose() {
      for (const buffer of owned) gpu.free(buffer);
    },
  };
}
