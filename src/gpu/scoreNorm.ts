import type { BitRows } from './bitProducts.ts';
import type { Call, Layer } from './products.ts';
import bitsOf from './shaders/network/scoreNorm/bitsOf.wgsl?raw';
import numbersOf from './shaders/network/scoreNorm/numbersOf.wgsl?raw';
import scoreNorm from './shaders/network/scoreNorm/scoreNorm.wgsl?raw';

/** Numbers of a layer that one workgroup takes. */
const PIECE = 1024;

const scoreKernels = {
  numbers: { id: 'scoreNorm', wgsl: scoreNorm, link: [numbersOf] },
  bits: { id: 'scoreNorm.bits', wgsl: scoreNorm, link: [bitsOf] },
} as const;

const hasBias = ({ biasAt }: Layer): 0 | 1 => (biasAt < 0 ? 0 : 1);

/** Columns that a layer takes of the result, one per piece of its numbers. */
export const columnsOf = (layer: Layer): number => Math.ceil(((layer.inputs + hasBias(layer)) * layer.out) / PIECE);

/** Where the squares of a layer go: its first column, and how many there are of all layers. */
export type Columns = { readonly at: number; readonly columns: number };

/**
 * Squared lengths of the gradients of B trajectories of T steps by one layer. Bindings X (bits where `bits` says how they
 * lie), dY, plan, y.
 */
export function scoreNormOf(
  layer: Layer,
  { B, T }: { readonly B: number; readonly T: number },
  to: Columns,
  bits: BitRows | null,
): Call {
  const { inputs, out, S } = layer;
  const { outerStride = 0, innerStride = 0 } = bits ?? {};
  return {
    kernel: bits ? scoreKernels.bits : scoreKernels.numbers,
    dims: { B, T, inputs, out, hasBias: hasBias(layer), ...to, outerStride, innerStride },
    groups: [columnsOf(layer) * B, 1, S],
  };
}
