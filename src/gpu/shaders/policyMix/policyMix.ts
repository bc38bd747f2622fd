import { exp, log } from '../../../core/fmath.ts';
import { numbers, summed, untouched, wholes, type Case } from '../../conformance.ts';
import { policyMixWith } from '../kernels.ts';

/**
 * record [S, 16]: entropy of the average policy, mean of H / log(legal actions); at 3 the mean of log(legal actions), at 4
 * the mean entropy of p ∝ π^temperature. The rest is left alone.
 */
export function policyMix(
  S: number,
  B: number,
  T: number,
  actions: number,
  section: number,
  temperature: number,
  probs: Float32Array,
  length: Uint32Array,
  choice: Uint32Array,
  sampled: Float32Array,
  record: Float32Array,
): Float32Array {
  const result = record.slice();
  for (let s = 0; s < S; s++) {
    const mean = new Float64Array(actions);
    let share = 0;
    let most = 0;
    let plain = 0;
    let steps = 0;
    for (let row = s * B; row < (s + 1) * B; row++) {
      for (let k = row * T; k < row * T + length[row]!; k++) {
        for (let b = 0; b < actions; b++) mean[b]! += probs[k * actions + b]!;
        const legal = Array.from({ length: actions }, (_, b) => (choice[k]! >>> b) & 1).reduce((n, x) => n + x, 0);
        if (legal > 1) share += sampled[section + k]! / log(legal);
        most += log(legal);
        plain += plainEntropy(probs.subarray(k * actions, (k + 1) * actions), temperature);
        steps++;
      }
    }
    let H = 0;
    for (const sum of mean) if (sum > 0) H -= (sum / steps) * log(sum / steps);
    result[16 * s] = H;
    result[16 * s + 1] = share / steps;
    result[16 * s + 3] = most / steps;
    result[16 * s + 4] = plain / steps;
  }
  return result;
}

function plainEntropy(probs: Float32Array, temperature: number): number {
  const logs = Array.from(
    probs.filter((p) => p > 0),
    (p) => temperature * log(p),
  );
  const z = logs.reduce((sum, l) => sum + exp(l), 0);
  return log(z) - logs.reduce((sum, l) => sum + exp(l) * l, 0) / z;
}

export const cases: readonly Case[] = (
  [
    [1, 1, 1, 2, 1, 64],
    [3, 5, 4, 3, 2, 64],
    [2, 65, 7, 6, 0.5, 64],
    [2, 300, 3, 9, 0.5, 128],
    [1, 130, 4, 32, 1, 192],
  ] as const
).map(([S, B, T, actions, temperature, lanes], k): Case => {
  const N = S * B * T;
  const section = N + 3;
  const length = wholes(k, S * B, T).map((n) => n + 1);
  const isReal = (step: number): boolean => step % T < length[Math.floor(step / T)]!;
  const raw = numbers(k + 1, N * actions, 0, 1).map((x, at) => (at % actions === 1 && k === 1 ? 0 : x));
  const probs = raw.map((x, at) => {
    const step = Math.floor(at / actions);
    let sum = 0;
    for (let b = 0; b < actions; b++) sum += raw[step * actions + b]!;
    return isReal(step) ? x / sum : 1e30;
  });
  // every third step allows everything, also actions that do not exist
  const choice = wholes(k + 2, 2 * N, 2 ** Math.min(actions, 24)).map((bits, at) =>
    at % 3 === 0 ? 0xffffffff : bits | 1,
  );
  const sampled = numbers(k + 3, 3 * section, 0, 2);
  const record = untouched(S * 16);
  return {
    name: `policyMix ${S}×${B}×${T} on ${lanes} lanes, ${actions} actions, temperature ${temperature}`,
    ...summed(policyMixWith(actions), S, { B, T, actions, floatSection: section, temperature }, lanes),
    buffers: { probs, length, choice, sampled, record, parts: untouched(S * lanes * 36) },
    expected: { record: policyMix(S, B, T, actions, section, temperature, probs, length, choice, sampled, record) },
    // means of at most 900 numbers below 4; log of a GPU has an error of 2⁻²¹ in the middle of its range
    tolerance: { abs: 1e-5, rel: 1e-5 },
  };
});
