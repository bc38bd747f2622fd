import { outputs, type DenseLayout, type Layout, type NetworkShape } from './dense/shape.ts';
import { longestOf, type TransformerShape } from './transformer/shape.ts';

/** Rows that a chain of dense layers works on at once: activations of a chunk stay in the cache. */
export const CHUNK = 128;
/** Tokens that a transformer works on at once: their activations stay near the cache. */
const CHUNK_TOKENS = 1536;

/** Floats of the kernels of one policy on the CPU: arrays of a chunk, and scratch for what is copied in and packed. */
export type KernelFloats = { readonly arrays: number; readonly scratch: number };

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

/** Steps that a transformer works on at once. */
export function transformerRows(shape: TransformerShape): number {
  return Math.max(1, Math.floor(CHUNK_TOKENS / longestOf(shape)));
}

export function transformerFloats(shape: TransformerShape, layout: Layout, rows: number): KernelFloats {
  const { width: D, hidden: F, layers } = shape;
  const tokens = rows * longestOf(shape);
  const perToken = layers * (33 * D + 2 * F + 2) + 21 * D + F + 1;
  return {
    arrays: tokens * perToken,
    // copied in: parameters or gradient; besides, a packed block of columns
    scratch: 2 * layout.size + 9 * Math.max(tokens, F, 3 * D) + 200,
  };
}

/**
 * Floats that a backend asks of its policy's kernels: for each of S replicas `copies` arrays as long as its weights (those of
 * its state and what it sees and plays), and three gradients.
 */
export const ownFloats = (size: number, S: number, copies: number): number => size * (S * copies + 3);
