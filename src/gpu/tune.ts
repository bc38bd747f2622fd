import type { Gpu } from './device.ts';
import { KernelRejected } from './refused.ts';
import { forwardProduct, type Form, type Layer } from './products.ts';
import { CommandList, readBack } from './recorder.ts';
import { timeOfOne, type Stopwatch } from './timeOfOne.ts';

/** What was found out about a device: which form of a product is the faster one on it. */
export type Tuning = {
  readonly tiled: boolean;
  readonly ms: Readonly<Partial<Record<Form, number>>>;
  /** products of a network and a batch in one step up to which rollouts of many steps in a dispatch are the faster ones */
  readonly fusedUpTo: number;
};

/**
 * On adapters that run shaders on the CPU a dispatch costs little, and products of many rows read a weight once for eight
 * of them. 30 steps of 512 episodes with a network of 64-64 take 190 ms step by step and 390 with many steps in a
 * dispatch, those of 64 episodes 29 and 44, of 24 episodes 18 and 17: both are equally fast at about a million products.
 */
const SOFTWARE: Tuning = { tiled: false, ms: {}, fusedUpTo: 2 ** 20 };

/** The simplest kernels: products in registers, and a rollout step by step. */
const PLAIN: Tuning = { tiled: false, ms: {}, fusedUpTo: -1 };

const STORAGE = 0x80 | 0x04 | 0x08;
/** A product with a sum long enough for tiles: 67 million multiplications, well below a millisecond on a laptop. */
const PROBE: Layer = { S: 1, rows: 1024, maxRows: 1024, inputs: 256, out: 256, size: 65_536, weightAt: 0, biasAt: -1 };
/** Each form is repeated until so much of the time is its own, and not that of the way there and back. */
const ENOUGH_MS = 5;
/** More repetitions than that tell nothing: the clock stands still. */
const MOST = 4096;
/** A device that needs so long for a single product is not worth the question. */
const SLOW_MS = 15;
/** Tiles must be clearly faster: they compile for longer. */
const MARGIN = 0.9;

const known = new WeakMap<Gpu, Promise<Tuning>>();

/**
 * Measures once per device, for up to 200 ms, whether products through workgroup memory are faster than those in
 * registers alone. Adapters that run shaders on the CPU are not asked: barriers are ruinous there. All forms add up in the
 * same order, one fma a step, so that the answer changes the time of a run and not its numbers.
 */
export function tune(gpu: Gpu): Promise<Tuning> {
  if (gpu.plainBecause) return Promise.resolve(PLAIN);
  const found = known.get(gpu) ?? (gpu.software ? Promise.resolve(SOFTWARE) : compare(gpu));
  known.set(gpu, found);
  return found;
}

/** Milliseconds of one product in each form, as far as they are asked for; `watchOf` times them. */
export async function compareForms(watchOf: (form: Form) => Stopwatch): Promise<Pick<Tuning, 'tiled' | 'ms'>> {
  const wide = await timeOfOne(watchOf('wide'), ENOUGH_MS, MOST);
  if (wide > SLOW_MS) return { tiled: false, ms: { wide } };
  const tiled = await timeOfOne(watchOf('tiled'), ENOUGH_MS, MOST);
  return { tiled: tiled < MARGIN * wide, ms: { wide, tiled } };
}

/** The comparison itself, on any device. */
export async function compare(gpu: Gpu): Promise<Tuning> {
  const { rows, inputs, out, size } = PROBE;
  const owned = [rows * inputs, size, rows * out].map((floats) => gpu.buffer('tuning', floats, STORAGE));
  const [X, theta, Y] = owned as [GPUBuffer, GPUBuffer, GPUBuffer];
  const watchOf = (form: Form): Stopwatch => {
    const { kernel, dims, groups } = forwardProduct(PROBE, form, 'none', false);
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
    if (error instanceof KernelRejected) return { tiled: false, ms: {}, fusedUpTo: Infinity };
    throw error;
  } finally {
    for (const buffer of owned) gpu.free(buffer);
  }
}
