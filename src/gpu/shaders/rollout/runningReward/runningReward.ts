import { inUnits, withReturns } from '../../../../core/math/running.ts';
import { numbers, summed, untouched, wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

/** What estimators see of the returns of each replica, and what is known of all returns after them. */
export function runningReward(
  [S, B, T]: readonly [number, number, number],
  clip: number,
  outcome: Float32Array,
  length: Uint32Array,
  known: Float32Array,
): { known: Float32Array; reward: Float32Array; total: Float32Array } {
  const done = { known: known.slice(), reward: new Float32Array(S * B * T), total: new Float32Array(S * B) };
  for (let s = 0; s < S; s++) {
    const [n, mean, squares] = [0, 1, 2].map((k) => known[3 * s + k]!) as [number, number, number];
    const own = outcome.subarray(s * B, (s + 1) * B);
    const running = withReturns({ n, mean, squares }, own);
    done.known.set([running.n, running.mean, running.squares], 3 * s);
    own.forEach((R, i) => {
      const held = inUnits(R, running, clip);
      done.total[s * B + i] = held;
      done.reward[(s * B + i) * T + length[s * B + i]! - 1] = held;
    });
  }
  return done;
}

const shapes = [
  [1, 1, 1, 0, 64],
  [3, 5, 4, 0.8, 64],
  [2, 65, 7, 1.2, 64],
  [3, 130, 3, 0, 192],
  [2, 300, 2, 1.2, 128],
  [2, 63, 3, 1.2, 64],
  [2, 4097, 1, 1.2, 4160],
] as const;

export const cases: readonly Case[] = shapes.flatMap(([S, B, T, clip, lanes], k) =>
  ['different', 'all equal'].map((what): Case => {
    const outcome = what === 'different' ? numbers(k, S * B, -1, 3) : new Float32Array(S * B).fill(0.7);
    const length = wholes(k + 1, S * B, T).map((n) => n + 1);
    // the first replica begins, the others have a past
    const known = Float32Array.from({ length: 3 * S }, (_, j) =>
      j < 3 ? 0 : [40 * j, 0.7, what === 'different' ? 90 : 0][j % 3]!,
    );
    return {
      name: `runningReward ${S}×${B}×${T}, ${what}, on ${lanes} lanes`,
      ...summed(kernels.runningReward, S, { B, T, clip }, lanes, true),
      buffers: {
        ...{ outcome, length, known, reward: untouched(S * B * T), total: untouched(S * B) },
        parts: untouched(S * lanes * 3),
      },
      expected: runningReward([S, B, T], clip, outcome, length, known),
      // sums of at most 4,097 numbers below 16, divided by a spread near 1
      tolerance: { abs: 2e-5, rel: 2e-5 },
    };
  }),
);
