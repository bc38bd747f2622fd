import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

/** x of the state `ahead` steps after each step, of T + 1 entries a row; 0 after the end of its own, unless kept. */
export function atState(
  { cols, ahead, keeps }: { cols: number; ahead: number; keeps: number },
  x: Float32Array,
  length: Uint32Array,
  ending: Uint32Array,
): Float32Array {
  return Float32Array.from({ length: length.length * cols }, (_, k) => {
    const row = Math.floor(k / cols);
    const t = k % cols;
    if (t >= length[row]!) return 0;
    const isOver = t + ahead === length[row] && ending[4 * row + 1] === 1 && keeps === 0;
    return isOver ? 0 : x[row * (cols + 1) + t + ahead]!;
  });
}

/** x of a row in its last step, 0 before. */
export const atEnd = (cols: number, x: Float32Array, length: Uint32Array): Float32Array =>
  Float32Array.from({ length: length.length * cols }, (_, k) =>
    (k % cols) + 1 === length[Math.floor(k / cols)] ? x[Math.floor(k / cols)]! : 0,
  );

/** Of each row: success, whether it ended by itself, 1 − steps/cols, or x of its last state, T + 1 entries a row. */
export const ofEnd = (
  { cols, ahead }: { cols: number; ahead: number },
  x: Float32Array,
  length: Uint32Array,
  ending: Uint32Array,
): Float32Array =>
  Float32Array.from(length, (n, row) =>
    ahead < 2 ? ending[4 * row + ahead]! : ahead === 2 ? 1 - Math.fround(n / cols) : x[row * (cols + 1) + n]!,
  );

/** Σ x over the real steps of each row. */
const totals = (cols: number, x: Float32Array, length: Uint32Array): Float32Array =>
  Float32Array.from(length, (n, row) => x.subarray(row * cols, row * cols + n).reduce((a, b) => a + b, 0));

const KERNEL = {
  ...{ at: kernels.rewardAt, last: kernels.rewardLast, end: kernels.rewardEnd },
  ...{ mean: kernels.rewardMean, pay: kernels.rewardPay },
};

const caseOf = (seed: number, rows: number, cols: number, entry: 'at' | 'last' | 'end' | 'mean' | 'pay'): Case => {
  const length = wholes(seed, rows, cols).map((n) => n + 1);
  const ending = wholes(seed + 1, 4 * rows, 2);
  const dims = { rows, cols, ahead: entry === 'end' ? seed % 4 : seed % 2, keeps: seed % 3 === 0 ? 1 : 0 };
  const x = numbers(seed + 2, entry === 'last' ? rows : rows * (cols + (entry === 'at' || entry === 'end' ? 1 : 0)));
  const steps = untouched(rows * cols);
  const perRow = entry === 'end' || entry === 'mean' || entry === 'pay';
  const sums = totals(cols, x, length);
  const expected = {
    at: () => ({ y: atState(dims, x, length, ending) }),
    last: () => ({ y: atEnd(cols, x, length) }),
    end: () => ({ y: ofEnd(dims, x, length, ending) }),
    mean: () => ({ y: sums.map((sum, row) => sum / length[row]!) }),
    pay: () => ({ y: x.map((v, k) => (k % cols < length[Math.floor(k / cols)]! ? v : 0)), total: sums }),
  }[entry]();
  return {
    name: `${entry} of ${rows}×${cols}${entry === 'at' ? `, ${dims.ahead} ahead, ${dims.keeps ? 'kept' : 'zero'}` : entry === 'end' ? `, ${dims.ahead}` : ''}`,
    kernel: KERNEL[entry],
    dims,
    groups: [Math.ceil((perRow ? rows : rows * cols) / 64)],
    buffers: {
      x,
      length,
      ending,
      y: entry === 'mean' || entry === 'end' ? untouched(rows) : steps,
      total: untouched(rows),
    },
    expected,
    // a sum of up to 70 numbers below 1, one rounding each of at most half a unit of 64
    tolerance: { abs: perRow ? 70 * 2 ** -18 : 0, rel: 0 },
  };
};

export const cases: readonly Case[] = (['at', 'last', 'end', 'mean', 'pay'] as const).flatMap((entry) => [
  caseOf(1, 1, 1, entry),
  caseOf(2, 5, 13, entry),
  caseOf(3, 65, 3, entry),
  caseOf(6, 64, 2, entry),
  caseOf(7, 3, 70, entry),
]);
