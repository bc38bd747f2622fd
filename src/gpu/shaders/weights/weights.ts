import { summed, untouched, wholes, type Case } from '../../conformance.ts';
import { kernels } from '../kernels.ts';

/** plan [S, B, 2] = weight in this minibatch (0 outside), length. Modes: unitMean, seqMeanUnitMean, seqMeanUnitSum, constant. */
export function weights(
  S: number,
  B: number,
  T: number,
  mode: number,
  epoch: number,
  minibatch: number,
  length: Uint32Array,
  member: Uint32Array,
): Float32Array {
  const plan = new Float32Array(S * B * 2);
  for (let s = 0; s < S; s++) {
    const isIn = (i: number): boolean => member[(epoch * S + s) * B + i] === minibatch;
    let units = 0;
    let rows = 0;
    for (let i = 0; i < B; i++) {
      if (!isIn(i)) continue;
      units += length[s * B + i]!;
      rows++;
    }
    for (let i = 0; i < B; i++) {
      const n = length[s * B + i]!;
      plan[2 * (s * B + i)] = isIn(i) ? 1 / [units, rows * n, rows, rows * T][mode]! : 0;
      plan[2 * (s * B + i) + 1] = n;
    }
  }
  return plan;
}

const shapes = [
  [65, 7, 9, 64],
  [2, 130, 3, 192],
  [3, 300, 2, 128],
] as const;

export const cases: readonly Case[] = [0, 1, 2, 3].flatMap((mode) =>
  shapes.map(([S, B, T, lanes]): Case => {
    const epochs = 2;
    const length = wholes(mode, S * B, T).map((n) => n + 1);
    const member = wholes(mode + 9, epochs * S * B, 3);
    return {
      name: `weights mode ${mode}, ${S}×${B}×${T} on ${lanes} lanes`,
      ...summed(kernels.weights, S, { S, B, T, mode, epoch: 1, minibatch: 2 }, lanes, true),
      buffers: { length, member, plan: untouched(S * B * 2), parts: new Uint32Array(S * lanes * 2) },
      expected: { plan: weights(S, B, T, mode, 1, 2, length, member) },
      // one division
      tolerance: { abs: 0, rel: 4e-7 },
    };
  }),
);
