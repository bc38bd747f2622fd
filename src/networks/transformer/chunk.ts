import { valuesOf, type Layout } from '../layout.ts';
import { longestOf, type TransformerShape } from './shape.ts';

/** One workgroup packs a chunk. */
export const MOST_ROWS = 256;
/** Rows whose gradients are added up apart, and then in this order: parallel work without atomics. */
export const SLICES = 16;
/** Floats that the activations of a chunk may take per replica: 32 MiB. */
const MOST_FLOATS = 32 * 2 ** 18;

/** Floats per row by which chunks are cut, a little more than they take. It decides the order of sums: leave it. */
function floatsPerRow(shape: TransformerShape): number {
  const { width: D, hidden: F, layers, heads, grammar } = shape;
  const L = longestOf(shape);
  const J = grammar.prefixes.length;
  const gates = shape.gate === 'none' ? 1 : shape.gate === 'gru' ? 5 : shape.gate === 'sigtanh' ? 3 : 2;
  const perQuery = D * (5 + 2 * gates) + F + 2 * heads + 4;
  return layers * L * 5 * D + (layers - 1) * L * perQuery + J * perQuery + L * (12 * D + F + heads * L);
}

/** Steps of a chunk whose activations take about 32 MiB per replica: 8 … 256. */
export function rowsPerChunk(shape: TransformerShape): number {
  const rows = Math.floor(MOST_FLOATS / floatsPerRow(shape));
  return Math.max(8, Math.min(MOST_ROWS, rows));
}

/** Floats of the activations of a chunk for one replica, forward and back. */
export function floatsOfChunk(shape: TransformerShape, layout: Layout): number {
  const { width: D, hidden: F, layers, heads, grammar, gate } = shape;
  const L = longestOf(shape);
  const J = grammar.prefixes.length;
  const perGate = { none: 1, gru: 5, sigtanh: 3, output: 2, input: 2, highway: 2 }[gate] * D;
  const perQuery = 3 * D + 2 + 2 * heads + F + 2 * perGate;
  const queries = (layers - 1) * L + J;
  const distances = layout.tensors.find(({ name }) => name === 'rel.0')!.cols;
  const slopes = L * (4 + 7 * D + F + (gate === 'gru' ? 5 * D : 0)) + (layers > 1 ? L : J) * heads * distances;
  const outputs = 3 * (grammar.slots.length + valuesOf(shape));
  return rowsPerChunk(shape) * (layers * L * (5 * D + 2) + queries * perQuery + J * (4 * D + 2) + slopes + outputs);
}
