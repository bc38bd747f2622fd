import { AGGREGATES, unitWeight } from '../../../../core/aggregate.ts';
import { summed, untouched, wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

/** The mode in which trajectories that are left out count. */
const COUNTS = AGGREGATES.length;

type Look = { S: number; B: number; T: number; most: number; mode: number; look: number; minibatches: number };

/**
 * plan [S, B, 2] = weight in this minibatch (0 outside), length. Modes: those of AGGREGATES in their order, and 5: constant,
 * with the trajectories whose highest bit of `member` says that they are left out.
 */
export function weights(
  { S, B, T, most, mode, look, minibatches }: Look,
  length: Uint32Array,
  units: Uint32Array,
  member: Uint32Array,
): Float32Array {
  const plan = new Float32Array(S * B * 2);
  const [epoch, minibatch] = [Math.floor(look / minibatches), look % minibatches];
  for (let s = 0; s < S; s++) {
    const memberOf = (i: number): number => member[(epoch * S + s) * B + i]!;
    const isIn = (i: number): boolean => memberOf(i) === minibatch;
    let all = 0;
    let rows = 0;
    for (let i = 0; i < B; i++) {
      if (mode === COUNTS && (memberOf(i) & 0x7fffffff) === minibatch && !isIn(i)) rows++;
      if (!isIn(i)) continue;
      all += units[s * B + i]!;
      rows++;
    }
    for (let i = 0; i < B; i++) {
      const row = s * B + i;
      const aggregate = AGGREGATES[mode] ?? 'constant';
      plan[2 * row] = isIn(i) ? unitWeight(aggregate, units[row]!, all, rows, rows * T * most) : 0;
      plan[2 * row + 1] = length[row]!;
    }
  }
  return plan;
}

/** Lengths, units and minibatches (0, 1, 2 of the second of two epochs), some left out. */
export function minibatchOf(
  seed: number,
  { S, B, T, most }: Pick<Look, 'S' | 'B' | 'T' | 'most'>,
): Readonly<Record<'length' | 'units' | 'member', Uint32Array>> {
  const length = wholes(seed, S * B, T).map((n) => n + 1);
  const units = most === 1 ? length : wholes(seed + 5, S * B, 5).map((x, k) => x + length[k]!);
  const left = wholes(seed + 13, 2 * S * B, 2);
  const member = wholes(seed + 9, 2 * S * B, 3).map((m, k) => (left[k] === 0 ? (m | 0x80000000) >>> 0 : m));
  return { length, units, member };
}

/** S, B, T, units of a step at most, lanes */
const shapes = [
  [65, 7, 9, 1, 64],
  [2, 130, 3, 4, 192],
  [3, 300, 2, 1, 128],
  [2, 7, 4, 3, 64],
  [1, 4097, 1, 2, 4160],
] as const;

export const cases: readonly Case[] = [0, 1, 2, 3, 4, COUNTS].flatMap((mode) =>
  shapes.map(([S, B, T, most, lanes]): Case => {
    const look = { S, B, T, most, mode, look: 5, minibatches: 3 };
    const { length, units, member } = minibatchOf(mode, look);
    return {
      name: `weights mode ${mode}, ${S}×${B}×${T} of up to ${most} on ${lanes} lanes`,
      ...summed(kernels.weights, S, { ...look, all: 0, few: 0 }, lanes, true),
      buffers: { length, units, member, plan: untouched(S * B * 2), parts: new Uint32Array(S * lanes * 2) },
      expected: { plan: weights(look, length, units, member) },
      // one division
      tolerance: { abs: 0, rel: 4e-7 },
    };
  }),
);
