import type { Gpu } from './device.ts';
import { KernelRejected } from './refused.ts';
import { blocksOf, forwardForm, forwardProduct, type Form, type Layer } from './products.ts';
import { CommandList, readBack } from './recorder.ts';
import { timeOfOne, type Stopwatch } from './timeOfOne.ts';
import { REGISTERS, type Tuning } from './tune.ts';

const STORAGE = 0x80 | 0x04 | 0x08;
const product = (rows: number, inputs: number, out: number): Layer => ({
  ...{ S: 1, rows, maxRows: rows, inputs, out, size: inputs * out, weightAt: 0, biasAt: -1 },
});
/** A product with a sum long enough for tiles: 67 million multiplications, well below a millisecond on a laptop. */
const PROBE = product(1024, 256, 256);
/** From the head of a small network to a product that fills any device but the largest, in growing numbers of blocks. */
const LADDER = [product(4096, 64, 8), product(4096, 64, 32), PROBE, product(4096, 256, 256)];
/** Each form is repeated until so much of the time is its own, and not that of the way there and back. */
const ENOUGH_MS = 5;
/** More repetitions than that tell nothing: the clock stands still. */
const MOST = 4096;
/** A device that needs so long for a single product is not worth the question. */
const SLOW_MS = 15;
/** Tiles must be clearly faster: they compile for longer. */
const MARGIN = 0.9;

/** Milliseconds of a product in each form, as far as they are asked for; `watchOf` times them. */
export async function compareForms(
  watchOf: (layer: Layer, form: Form) => Stopwatch,
): Promise<Pick<Tuning, 'tiled' | 'fineUpTo' | 'ms'>> {
  const timeOf = (layer: Layer, form: Form): Promise<number> => timeOfOne(watchOf(layer, form), ENOUGH_MS, MOST);
  const wide = await timeOf(PROBE, 'wide');
  if (wide > SLOW_MS) return { ...REGISTERS, ms: { wide } };
  const ms = { wide, tiled: await timeOf(PROBE, 'tiled') };
  const tiles = { tiled: ms.tiled < MARGIN * wide, fineUpTo: 0 };
  let { fineUpTo } = tiles;
  for (const layer of LADDER) {
    const coarse = layer === PROBE ? Math.min(wide, ms.tiled) : await timeOf(layer, forwardForm(layer, tiles));
    if ((await timeOf(layer, 'fine')) >= MARGIN * coarse) break;
    fineUpTo = blocksOf(layer.rows, layer.out);
  }
  return { ...tiles, fineUpTo, ms };
}

/** The comparison itself, on any device. */
export async function compare(gpu: Gpu): Promise<Tuning> {
  const most = (floats: (layer: Layer) => number): number => Math.max(...LADDER.map(floats));
  const sizes = [(l: Layer) => l.rows * l.inputs, (l: Layer) => l.size, (l: Layer) => l.rows * l.out];
  const owned = sizes.map((floats) => gpu.buffer('tuning', most(floats), STORAGE));
  const [X, theta, Y] = owned as [GPUBuffer, GPUBuffer, GPUBuffer];
  const watchOf = (layer: Layer, form: Form): Stopwatch => {
    const { kernel, dims, groups } = forwardProduct(layer, form, 'none', false);
    const list = new CommandList(gpu, 'tuning', owned);
    return async (times) => {
      if (list.length === 0) await list.add(kernel, { X, theta, Y }, dims, groups);
      const from = performance.now();
      const encoder = gpu.device.createCommandEncoder({ label: 'tuning' });
      for (let k = 0; k < times; k++) list.encode(encoder);
      gpu.device.queue.submit([encoder.finish()]);
      await readBack(gpu, { buffer: Y, offset: 0, size: 4 });
      return performance.now() - from;
    };
  };
  try {
    return { ...(await compareForms(watchOf)), fusedUpTo: Infinity };
  } catch (error) {
    // a driver that refuses tiles gets the other form
    if (error instanceof KernelRejected) return { ...REGISTERS, ms: {}, fusedUpTo: Infinity };
    throw error;
  } finally {
    for (const buffer of owned) gpu.free(buffer);
  }
}
