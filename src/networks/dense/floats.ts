import type { KernelFloats } from '../kernelFloats.ts';
import { outputs, type DenseLayout, type NetworkShape } from './shape.ts';

/** Rows that a chain of dense layers works on at once: activations of a chunk stay in the cache. */
export const CHUNK = 128;

export function denseFloats(shape: NetworkShape, layout: DenseLayout): KernelFloats {
  const words = Math.ceil(shape.features / 32);
  const hidden = shape.hidden.reduce((sum, width) => sum + width, 0);
  const longest = Math.max(CHUNK, ...layout.widths);
  return {
    arrays: CHUNK * (2 * outputs(shape) + 3 * hidden),
    // copied in: parameters or gradient, and the observations; besides, a packed block of columns and the set bits
    scratch: 2 * layout.size + CHUNK * words + 9 * longest + 32 * words + 200,
  };
}
