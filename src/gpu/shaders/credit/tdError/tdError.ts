import { softMin } from '../../../critic.ts';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

/**
 * d[t] = r[t] + γ·V[t+1] − V[t]; beyond the last step 0 if terminated, else by `cut`: 0 nothing, 1 the value in the last
 * column of `last` or the soft minimum of the last two, 2 V[t].
 */
export function tdError(
  rows: number,
  cols: number,
  B: number,
  maxRows: number,
  n: number,
  values: number,
  gamma: number,
  cut: number,
  r: Float32Array,
  V: Float32Array,
  last: Float32Array,
  ending: Uint32Array,
  length: Uint32Array,
): Float32Array {
  return Float32Array.from({ length: rows * cols }, (_, k) => {
    const row = Math.floor(k / cols);
    const t = k % cols;
    if (t >= length[row]!) return 0;
    let next = 0;
    if (t + 1 < length[row]!) next = V[k + 1]!;
    else if (ending[4 * row + 1] === 0 && cut === 1) {
      const end = (Math.floor(row / B) * maxRows + (row % B) + 1) * n;
      next = values === 2 ? softMin(last[end - 2]!, last[end - 1]!) : last[end - 1]!;
    } else if (ending[4 * row + 1] === 0 && cut === 2) next = V[k]!;
    return r[k]! + gamma * next - V[k]!;
  });
}

export const cases: readonly Case[] = [0, 1, 2].flatMap((cut) =>
  (
    [
      [1, 1, 1, 2],
      [2, 5, 7, 5],
      [3, 22, 3, 3],
      [2, 9, 4, 6],
    ] as const
  ).map(([S, B, cols, n], k): Case => {
    const rows = S * B;
    const maxRows = B + 2;
    const values = k === 3 ? 2 : 1;
    const length = wholes(k, rows, cols).map((x) => x + 1);
    const ending = wholes(k + 3, rows * 4, 2);
    const r = numbers(k + 4, rows * cols);
    const V = numbers(k + 5, rows * cols);
    const last = numbers(k + 6, S * maxRows * n);
    return {
      name: `tdError cut ${cut}, ${S}×${B}×${cols}`,
      kernel: kernels.tdError,
      dims: { rows, cols, B, maxRows, n, values, gamma: 0.5, cut },
      groups: [Math.ceil((rows * cols) / 64)],
      buffers: { r, V, last, ending, length, d: untouched(rows * cols) },
      expected: { d: tdError(rows, cols, B, maxRows, n, values, 0.5, cut, r, V, last, ending, length) },
      // three roundings of numbers below 3
      tolerance: { abs: 1e-6, rel: 0 },
    };
  }),
);
