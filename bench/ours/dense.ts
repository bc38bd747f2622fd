import type { Gpu } from '../../src/gpu/device.ts';
import { CommandList, readBack } from '../../src/gpu/recorder.ts';
import { kernels } from '../../src/gpu/shaders/kernels.ts';
import type { Contender } from '../types.ts';

/** The one place that knows how the lab's dense kernels are dispatched; `src/train/gpu/networkList.ts` does the same. */

/** STORAGE | COPY_SRC | COPY_DST by value: the global with the names exists only beside a GPU. */
export const STORAGE = 0x80 | 0x04 | 0x08;

export type Layer = {
  readonly rows: number;
  readonly inputs: number;
  readonly out: number;
  /** floats of the parameter vector, and where W and b lie in it; b below 0: none */
  readonly size: number;
  readonly weightAt: number;
  readonly biasAt: number;
};

type Buffers = Readonly<Record<string, GPUBuffer>>;

const dimsOf = ({ rows, inputs, out, size, weightAt, biasAt }: Layer): Record<string, number> => ({
  ...{ rows, inputs, out, maxRows: rows, size, weightAt },
  biasAt: Math.max(0, biasAt),
  hasBias: biasAt < 0 ? 0 : 1,
});

/** Y = X·W + b */
export async function addProduct(
  list: CommandList,
  layer: Layer,
  X: GPUBuffer,
  theta: GPUBuffer,
  Y: GPUBuffer,
): Promise<void> {
  const blocks = Math.ceil(layer.rows / 4) * Math.ceil(layer.out / 4);
  await list.add(kernels.denseForward, { X, theta, Y } satisfies Buffers, dimsOf(layer), [
    Math.ceil(blocks / 64),
    1,
    1,
  ]);
}

/** gradient[W] = Xᵀ·dY, gradient[b] = Σ dY */
export async function addGradient(
  list: CommandList,
  layer: Layer,
  X: GPUBuffer,
  dY: GPUBuffer,
  gradient: GPUBuffer,
): Promise<void> {
  const hasBias = layer.biasAt < 0 ? 0 : 1;
  const groups = Math.ceil(((layer.inputs + hasBias) * Math.ceil(layer.out / 4)) / 64);
  await list.add(kernels.denseGradient, { X, dY, gradient } satisfies Buffers, dimsOf(layer), [groups, 1, 1]);
}

/** dX = dY·Wᵀ */
export async function addInputGradient(
  list: CommandList,
  layer: Layer,
  dY: GPUBuffer,
  theta: GPUBuffer,
  dX: GPUBuffer,
): Promise<void> {
  const { rows, inputs, out, size, weightAt } = layer;
  const blocks = Math.ceil(rows / 4) * inputs;
  await list.add(
    kernels.denseBackward,
    { dY, theta, dX } satisfies Buffers,
    { rows, inputs, out, maxRows: rows, size, weightAt },
    [Math.ceil(blocks / 64), 1, 1],
  );
}

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
export async function recorded(gpu: Gpu, record: () => Promise<void>): Promise<void> {
  gpu.device.pushErrorScope('validation');
  await record();
  const error = await gpu.device.popErrorScope();
  if (error) throw new Error(error.message);
}

/** C [m, n] = A [m, k] · B [k, n] with the kernel of the forward pass. */
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
  const layer: Layer = { rows: m, inputs: k, out: n, size: k * n, weightAt: 0, biasAt: -1 };
  await recorded(gpu, () => addProduct(list, layer, X, W, Y));
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
