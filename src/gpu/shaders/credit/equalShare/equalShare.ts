import { units } from '../../../accuracy.ts';
import { untouched, wholes, type Case } from '../../../conformance.ts';
import { keysFor } from '../keyMatch/keyMatch.ts';
import { kernels } from '../../kernels.ts';

/** Share of the rows of each row's segment that have its two words; rows of length 0 do not count and get 0. */
export function equalShare(
  S: number,
  B: number,
  key: Uint32Array,
  length: Uint32Array,
  taskIndex: Uint32Array,
): Float32Array {
  const y = new Float32Array(S * B);
  for (let row = 0; row < S * B; row++) {
    if (length[row] === 0) continue;
    const s = Math.floor(row / B);
    const rows = Array.from({ length: B }, (_, i) => s * B + i);
    const members = rows.filter((j) => length[j]! > 0 && taskIndex[j] === taskIndex[row]);
    const equal = members.filter((j) => key[2 * j] === key[2 * row] && key[2 * j + 1] === key[2 * row + 1]);
    y[row] = equal.length / members.length;
  }
  return y;
}

export const cases: readonly Case[] = (
  [
    [1, 1, 1],
    [2, 5, 2],
    [1, 64, 3],
    [3, 65, 4],
  ] as const
).flatMap(([S, B, tasks], k) =>
  [B, 4].map((block): Case => {
    const length = wholes(k, S * B, 4).map((n) => (B === 1 ? 1 : n));
    const anywhere = wholes(k + 1, S * B, tasks);
    const taskIndex = block === B ? anywhere : anywhere.map((_, row) => Math.floor((row % B) / block));
    const key = keysFor(k + 2, S * B);
    return {
      name: `equalShare ${S}×${B} in ${block === B ? `${tasks} segments anywhere` : `segments of ${block} rows`}`,
      kernel: kernels.equalShare,
      dims: { B, block },
      groups: [Math.ceil(B / 64), 1, S],
      buffers: { key, length, taskIndex, y: untouched(S * B) },
      expected: { y: equalShare(S, B, key, length, taskIndex) },
      // one division
      tolerance: units(2.5),
    };
  }),
);
