import type { KernelFloats } from '../kernelFloats.ts';
import type { Layout } from '../layout.ts';
import { longestOf, type TransformerShape } from './shape.ts';

/** Tokens that a transformer works on at once: their activations stay near the cache. */
const CHUNK_TOKENS = 1536;

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
