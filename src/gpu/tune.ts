import type { Gpu } from './device.ts';
import type { Form, Tiles } from './products.ts';

/** What was found out about a device: which form of a product is the faster one on it. */
export type Tuning = Tiles & {
  /** of the product with a long sum */
  readonly ms: Readonly<Partial<Record<Form, number>>>;
  /** products of a network and a batch in one step up to which rollouts of many steps in a dispatch are the faster ones */
  readonly fusedUpTo: number;
};

/** Products in registers alone. */
export const REGISTERS: Tiles = { tiled: false, fineUpTo: 0 };

/**
 * On adapters that run shaders on the CPU a dispatch costs little, and products of many rows read a weight once for eight
 * of them. 30 steps of 512 episodes with a network of 64-64 take 190 ms step by step and 390 with many steps in a
 * dispatch, those of 64 episodes 29 and 44, of 24 episodes 18 and 17: both are equally fast at about a million products.
 */
const SOFTWARE: Tuning = { ...REGISTERS, ms: {}, fusedUpTo: 2 ** 20 };

/** The simplest kernels: products in registers, and a rollout step by step. */
const PLAIN: Tuning = { ...REGISTERS, ms: {}, fusedUpTo: -1 };

const known = new WeakMap<Gpu, Promise<Tuning>>();

/**
 * Measures once per device, for up to 300 ms, whether products through workgroup memory are faster than those in
 * registers alone, and up to which size those in fine tiles are. Adapters that run shaders on the CPU are not asked: barriers
 * are ruinous there. All forms add up in the same order, one fma a step, so that the answer changes the time of a run and
 * not its numbers.
 */
export function tune(gpu: Gpu): Promise<Tuning> {
  if (gpu.plainBecause) return Promise.resolve(PLAIN);
  const found = known.get(gpu) ?? (gpu.software ? Promise.resolve(SOFTWARE) : measured(gpu));
  known.set(gpu, found);
  return found;
}

async function measured(gpu: Gpu): Promise<Tuning> {
  try {
    return await (await import('./compareForms.ts')).compare(gpu);
  } catch (error) {
    // what could not be loaded or measured now is asked for again
    known.delete(gpu);
    throw error;
  }
}

/** Test hook: a device is taken for what it is not. */
export function assume(gpu: Gpu, tuning: Tuning): void {
  known.set(gpu, Promise.resolve(tuning));
}
