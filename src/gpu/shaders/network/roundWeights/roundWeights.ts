import { roundHalfEven, roundToHalf } from '../../../../core/rounding.ts';
import { numbers, untouched, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

/** y = x, or x rounded to half floats. */
export function roundCopy(x: Float32Array, half: boolean): Float32Array {
  return half ? x.map(roundToHalf) : x.slice();
}

/** Rounds the rows of a table (first, count, stride) of each of S parts to `levels` steps on both sides, into y. */
export function roundRows(
  S: number,
  size: number,
  table: Uint32Array,
  levels: number,
  x: Float32Array,
  y: Float32Array,
) {
  for (let s = 0; s < S; s++) {
    for (let row = 0; row < table.length / 3; row++) {
      const [start, count, stride] = table.subarray(3 * row, 3 * row + 3) as unknown as [number, number, number];
      let most = 0;
      for (let k = 0; k < count; k++) most = Math.max(most, Math.abs(x[s * size + start + k * stride]!));
      const scale = Math.fround(most / levels);
      if (!(scale > 0)) continue;
      for (let k = 0; k < count; k++) {
        const at = s * size + start + k * stride;
        y[at] = Math.fround(roundHalfEven(Math.fround(x[at]! / scale)) * scale);
      }
    }
  }
}

const S = 2;
const copies: readonly Case[] = [1, 64, 65].flatMap((size) =>
  [false, true].map((half): Case => {
    const x = numbers(size, S * size, -3, 3);
    // ends of the half floats, and a value between two of them
    x.set([65520, 1e-6, 3e-8, 1 + 2 ** -11, -(1 + 3 * 2 ** -11)].slice(0, size - 1), 1);
    if (!half || size === 1) x[0] = 1e-3;
    const expected = roundCopy(x, half);
    // an infinite half float is compared elsewhere: this check wants finite numbers
    x.forEach((_, k) => Number.isFinite(expected[k]!) || ((x[k] = 65519), (expected[k] = 65504)));
    return {
      name: `roundCopy ${size}, ${half ? 'half' : 'as it is'}`,
      kernel: kernels.roundCopy,
      dims: { size, rows: 0, levels: 1, half: half ? 1 : 0 },
      groups: [Math.ceil(size / 64), 1, S],
      buffers: { table: new Uint32Array(3), x, y: untouched(S * size) },
      expected: { y: expected },
      tolerance: { abs: 0, rel: 0 },
    };
  }),
);

const rounded: readonly Case[] = [7, 127].map((levels): Case => {
  // 66 columns of 5 rows, then a stored row, a row of zeros, and numbers of no row
  const size = 66 * 5 + 8 + 4 + 3;
  const x = numbers(levels, S * size, -2, 2);
  const table = Uint32Array.from([
    ...Array.from({ length: 66 }, (_, c) => [c, 5, 66]).flat(),
    ...[66 * 5, 8, 1],
    ...[66 * 5 + 8, 4, 1],
  ]);
  for (let s = 0; s < S; s++) x.fill(0, s * size + 66 * 5 + 8, s * size + 66 * 5 + 12);
  const y = x.slice();
  roundRows(S, size, table, levels, x, y);
  return {
    name: `roundRows to ${levels} levels`,
    kernel: kernels.roundRows,
    dims: { size, rows: table.length / 3, levels, half: 0 },
    groups: [Math.ceil(table.length / 3 / 64), 1, S],
    buffers: { table, x, y: x.slice() },
    expected: { y },
    // WGSL promises a quotient to 2.5 ulp, which the scale is, and the product is one more rounding
    tolerance: { abs: 0, rel: 3.6e-7 },
  };
});

export const cases: readonly Case[] = [...copies, ...rounded];
