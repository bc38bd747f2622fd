import { units } from '../../../accuracy.ts';
import { untouched, wholes, type Case } from '../../../conformance.ts';
import { rankedPairs } from '../../signalKernels.ts';

type Ranked = { readonly wins: Float32Array; readonly counts: Float32Array; readonly decided: Float32Array };

type Given = { readonly z: Float32Array; readonly taskIndex: Uint32Array };
type How = { readonly B: number; readonly order: readonly number[]; readonly sigma: number };

/** The other rows in the segment of a row: by which wish, in its place of the order, it wins (1) or loses (−1), or by none (3). */
export function opponents({ B, order, sigma }: How, { z, taskIndex }: Given, row: number) {
  const from = row - (row % B);
  const members = Array.from({ length: B }, (_, i) => from + i).filter((j) => taskIndex[j] === taskIndex[row]);
  const margins = order.map((k) => {
    const of = members.map((j) => z[3 * j + k]!);
    const mean = of.reduce((a, b) => a + b, 0) / of.length;
    const squares = of.reduce((sum, x) => sum + (x - mean) ** 2, 0);
    return of.length < 2 ? 0 : sigma * Math.sqrt(squares / (of.length - 1));
  });
  return members
    .filter((other) => other !== row)
    .map((j) => {
      const gaps = order.map((k) => z[3 * row + k]! - z[3 * j + k]!);
      const level = gaps.findIndex((gap, m) => Math.abs(gap) > margins[m]!);
      return level < 0 ? { j, level: 3, wins: 0 } : { j, level, wins: Math.sign(gaps[level]!) };
    });
}

/** Net wins of each row in its segment, pairs with later rows by the wish that decided them, and these as shares. */
export function ranked({ S, ...how }: How & { readonly S: number }, given: Given): Ranked {
  const { B } = how;
  const [wins, counts, decided] = [new Float32Array(S * B), new Float32Array(4 * S * B), new Float32Array(4 * S)];
  for (let row = 0; row < S * B; row++) {
    const others = opponents(how, given, row);
    for (const { j, level } of others) if (j > row) counts[4 * row + level]! += 1;
    wins[row] = others.reduce((net, other) => net + other.wins, 0) / Math.max(1, others.length);
  }
  for (let s = 0; s < S; s++) {
    const own = counts.subarray(4 * s * B, 4 * (s + 1) * B);
    const all = own.reduce((a, b) => a + b, 0);
    for (let k = 0; k < 4; k++)
      decided[4 * s + k] = own.reduce((sum, n, at) => (at % 4 === k ? sum + n : sum), 0) / Math.max(1, all);
  }
  return { wins, counts, decided };
}

export const cases: readonly Case[] = (
  [
    [1, 1, 1, 0.3],
    [2, 5, 2, 0],
    [1, 64, 3, 0.7],
    [3, 67, 4, 0.3],
  ] as const
).flatMap(([S, B, tasks, sigma], seed) =>
  [B, 4].map((block): Case => {
    const anywhere = wholes(seed, S * B, tasks);
    const taskIndex = block === B ? anywhere : anywhere.map((_, row) => Math.floor((row % B) / block));
    const z = Float32Array.from(wholes(seed + 1, 3 * S * B, 40), (n, k) => [n % 2, n % 5, -n][k % 3]!);
    const order = [
      [0, 1, 2],
      [2, 0, 1],
      [1, 2, 0],
    ][seed % 3]!;
    const [k0, k1, k2] = order as [number, number, number];
    const expected = ranked({ S, B, order, sigma }, { z, taskIndex });
    const dims = { B, block, k0, k1, k2, sigma };
    return {
      name: `rankedPairs of ${S}×${B} in ${block === B ? `${tasks} segments anywhere` : `segments of ${block} rows`}`,
      kernel: rankedPairs.rows,
      dims,
      groups: [Math.ceil(B / 64), 1, S],
      after: [{ kernel: rankedPairs.join, dims, groups: [1, 1, S] }],
      buffers: { z, taskIndex, wins: untouched(S * B), counts: untouched(4 * S * B), decided: untouched(4 * S) },
      expected,
      // whole numbers, and one division
      tolerance: units(2.5),
    };
  }),
);
