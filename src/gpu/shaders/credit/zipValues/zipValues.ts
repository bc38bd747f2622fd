import { units } from '../../../accuracy.ts';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

const bit = (holds: boolean): number => (holds ? 1 : 0);
/** The functions by the number under which the kernel knows them. */
const FUNCTIONS = [
  (u: number, v: number): number => u + v,
  (u: number, v: number): number => u - v,
  (u: number, v: number): number => u * v,
  (u: number, v: number): number => (v === 0 ? 0 : u / v),
  Math.min,
  Math.max,
  (u: number, v: number): number => bit(u < v),
  (u: number, v: number): number => bit(u <= v),
  (u: number, v: number): number => bit(u === v),
  (u: number, v: number): number => (u === 0 ? 0 : v),
  (u: number, v: number): number => (u === 0 ? v : 0),
] as const;

/** A column with so many numbers per row, or with none the number beside it. */
type Side = { readonly cols: number; readonly value: number; readonly of: Float32Array };

/** f(x, y) on real steps, 0 on padding; with one column every row is real. */
export function zipValues(
  { rows, cols, f }: { readonly rows: number; readonly cols: number; readonly f: number },
  x: Side,
  y: Side,
  length: Uint32Array,
): Float32Array {
  const at = (side: Side, row: number, t: number): number =>
    side.cols === 0 ? Math.fround(side.value) : side.of[row * side.cols + (t % side.cols)]!;
  return Float32Array.from({ length: rows * cols }, (_, k) => {
    const [row, t] = [Math.floor(k / cols), k % cols];
    return cols > 1 && t >= length[row]! ? 0 : FUNCTIONS[f]!(at(x, row, t), at(y, row, t));
  });
}

const shapes = [
  [1, 1, 1, 1],
  [65, 1, 1, 0],
  [5, 13, 13, 1],
  [13, 5, 1, 5],
  [65, 3, 0, 3],
  [7, 4, 0, 0],
] as const;

export const cases: readonly Case[] = shapes.flatMap(([rows, cols, xCols, yCols], seed) =>
  FUNCTIONS.map((_, f): Case => {
    const length = wholes(seed, rows, cols + 1);
    // in quarters, so that some are equal and some are 0
    const quarters = (of: number, n: number): Float32Array =>
      numbers(of, Math.max(1, n), -1, 1).map((v) => Math.round(4 * v) / 4);
    const [x, y] = [quarters(seed + 5, rows * xCols), quarters(seed + 9, rows * yCols)];
    const [a, b] = [0.75, -0.25];
    return {
      name: `zipValues ${rows}×${cols} from ${xCols} and ${yCols} columns, function ${f}`,
      kernel: kernels.zipValues,
      dims: { rows, cols, xCols, yCols, f, a, b },
      groups: [Math.ceil((rows * cols) / 64)],
      buffers: { x, y, length, z: untouched(rows * cols) },
      expected: {
        z: zipValues({ rows, cols, f }, { cols: xCols, value: a, of: x }, { cols: yCols, value: b, of: y }, length),
      },
      // sums and products of quarters are exact; one division, which WGSL allows 2.5 ulp
      tolerance: units(2.5),
    };
  }),
);
