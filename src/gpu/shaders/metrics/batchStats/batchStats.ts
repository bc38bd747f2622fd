import { partsOf } from '../../../../core/slices.ts';
import { numbers, stepped, untouched, wholes, type Case } from '../../../conformance.ts';
import { stepKernels } from '../../kernels.ts';

/** record [S, 8] = successes, Σ returns, steps, Σ entropy, steps that share their state, degenerate groups; two numbers are left alone. Trajectories of length 0 do not count. */
export function batchStats(
  S: number,
  B: number,
  T: number,
  P: number,
  section: number,
  length: Uint32Array,
  ending: Uint32Array,
  outcome: Float32Array,
  sampled: Float32Array,
  next: Uint32Array,
  groups: Float32Array,
  record: Float32Array,
): Float32Array {
  const result = record.slice();
  for (let s = 0; s < S; s++) {
    const sums = [0, 0, 0, 0, 0, 0];
    for (let row = s * B; row < (s + 1) * B; row++) {
      if (length[row] === 0) continue;
      sums[0]! += ending[4 * row]!;
      sums[1]! += outcome[row]!;
      sums[2]! += length[row]!;
      for (let t = 0; t < length[row]!; t++) {
        sums[3]! += sampled[section + row * T + t]!;
        if (next[row * T + t] !== (row - s * B) * T + t) sums[4]!++;
      }
    }
    for (let g = 0; g < P; g++) sums[5]! += groups[(s * P + g) * 4 + 3]!;
    result.set(sums, 8 * s);
  }
  return result;
}

export const cases: readonly Case[] = (
  [
    [1, 1, 1, 1, 'software'],
    [3, 5, 4, 2, 'software'],
    [2, 65, 7, 9, 'software'],
    [1, 130, 3, 130, 'software'],
    [2, 300, 3, 43, 'few lanes'],
    [1, 1, 1, 1, 'card'],
    [2, 5, 37, 2, 'card'],
    [1, 128, 3, 128, 'card'],
    [2, 130, 11, 9, 'card'],
    [2, 300, 3, 43, 'card'],
  ] as const
).map(([S, B, T, P, form], k): Case => {
  const section = S * B * T + 3;
  const length = wholes(k, S * B, T + 1).map((n) => (S * B > 1 ? n : 1));
  const ending = wholes(k + 1, S * B * 4, 2);
  const outcome = numbers(k + 2, S * B);
  const sampled = numbers(k + 3, 2 * section, 0, 1);
  // every other step alone in its set
  const next = wholes(k + 4, S * B * T, 2).map((shared, at) => (shared ? 0 : at % (B * T)));
  const groups = Float32Array.from(wholes(k + 5, S * P * 4, 2));
  const record = untouched(S * 8);
  return {
    name: `batchStats ${S}×${B}×${T} in ${P} groups, ${form}`,
    ...stepped(stepKernels.batchStats, S, { B, T, P, floatSection: section }, form),
    buffers: { parts: untouched(partsOf(S, B, 1)), length, ending, outcome, sampled, next, groups, record },
    expected: { record: batchStats(S, B, T, P, section, length, ending, outcome, sampled, next, groups, record) },
    // sums of at most 3,300 numbers below 1
    tolerance: { abs: 2e-5, rel: 1e-5 },
  };
});
