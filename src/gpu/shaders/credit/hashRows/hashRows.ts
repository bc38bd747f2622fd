import { hashInto } from '../../../../core/hash.ts';
import { wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

/** [S, B, 2] hash over level seed, length, then action and reward of the real steps of every trajectory. */
export function hashRows(
  rows: number,
  T: number,
  section: number,
  assign: Uint32Array,
  length: Uint32Array,
  choice: Uint32Array,
  milli: Int32Array,
): Uint32Array {
  const rowHash = new Uint32Array(2 * rows);
  for (let row = 0; row < rows; row++) {
    const words = [assign[4 * row + 3]!, length[row]!];
    for (let t = 0; t < length[row]!; t++) words.push(choice[section + row * T + t]!, milli[row * T + t]! >>> 0);
    hashInto(0x54524a59, 0, Uint32Array.from(words), 0, words.length, rowHash, 2 * row);
  }
  return rowHash;
}

export const cases: readonly Case[] = (
  [
    [1, 1, 1],
    [3, 5, 4],
    [2, 65, 7],
  ] as const
).map(([S, B, T], k) => {
  const section = S * B * T + 5;
  const assign = wholes(k, S * B * 4, 1 << 30);
  const length = wholes(k + 1, S * B, T).map((n) => n + 1);
  const choice = wholes(k + 2, 2 * section, 4);
  const milli = Int32Array.from(wholes(k + 3, S * B * T, 4000), (x) => x - 2000);
  return {
    name: `hashRows ${S}×${B}×${T}`,
    kernel: kernels.hashRows,
    dims: { S, B, T, section },
    groups: [Math.ceil((S * B) / 64)],
    buffers: { assign, length, choice, milli, rowHash: new Uint32Array(2 * S * B).fill(777) },
    expected: { rowHash: hashRows(S * B, T, section, assign, length, choice, milli) },
  };
});
