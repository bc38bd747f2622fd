import { hashInto } from '../../../core/hash.ts';
import { wholes, type Case } from '../../conformance.ts';
import { kernels } from '../kernels.ts';

/** rowHash [S, B, 2] over (level seed, length, then action and reward of real steps); hash [S, 2] over the rows in order. */
export function updateHash(
  S: number,
  B: number,
  T: number,
  section: number,
  assign: Uint32Array,
  length: Uint32Array,
  choice: Uint32Array,
  milli: Int32Array,
): { rowHash: Uint32Array; hash: Uint32Array } {
  const rowHash = new Uint32Array(2 * S * B);
  const hash = new Uint32Array(2 * S);
  for (let row = 0; row < S * B; row++) {
    const words = [assign[4 * row + 3]!, length[row]!];
    for (let t = 0; t < length[row]!; t++) words.push(choice[section + row * T + t]!, milli[row * T + t]! >>> 0);
    hashInto(0x54524a59, 0, Uint32Array.from(words), 0, words.length, rowHash, 2 * row);
  }
  for (let s = 0; s < S; s++) hashInto(0x55504454, 0, rowHash, 2 * s * B, 2 * B, hash, 2 * s);
  return { rowHash, hash };
}

export const cases: readonly Case[] = (
  [
    [1, 1, 1],
    [3, 5, 4],
    [2, 65, 7],
  ] as const
).flatMap(([S, B, T], k) => {
  const section = S * B * T + 5;
  const assign = wholes(k, S * B * 4, 1 << 30);
  const length = wholes(k + 1, S * B, T).map((n) => n + 1);
  const choice = wholes(k + 2, 2 * section, 4);
  const milli = Int32Array.from(wholes(k + 3, S * B * T, 4000), (x) => x - 2000);
  const want = updateHash(S, B, T, section, assign, length, choice, milli);
  const base = { dims: { S, B, T, section } };
  const blank = (n: number): Uint32Array => new Uint32Array(n).fill(777);
  const buffers = { assign, length, choice, milli };
  return [
    {
      ...base,
      name: `updateHash of trajectories ${S}×${B}×${T}`,
      kernel: kernels.hashRows,
      groups: [Math.ceil((S * B) / 64)] as const,
      buffers: { ...buffers, rowHash: blank(2 * S * B), hash: blank(2 * S) },
      expected: { rowHash: want.rowHash },
    },
    {
      ...base,
      name: `updateHash of the update ${S}×${B}×${T}`,
      kernel: kernels.hashAll,
      groups: [Math.ceil(S / 64)] as const,
      buffers: { ...buffers, rowHash: want.rowHash, hash: blank(2 * S) },
      expected: { hash: want.hash },
    },
  ];
});
