import { exp } from '../../../../core/fmath.ts';
import { numbers, summed, untouched, wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

/** (Σe)² / (n Σe²) with e = exp(λ − max λ): nothing overflows. */
function essShare(logWeights: readonly number[]): number {
  const top = Math.max(...logWeights);
  let sum = 0;
  let squares = 0;
  for (const x of logWeights) {
    const e = exp(x - top);
    sum += e;
    squares += e * e;
  }
  return (sum * sum) / (logWeights.length * squares);
}

/** record [S, 8] = ESS share of the steps, Σ ρ − 1 − log ρ, largest ρ, Σ KL to the reference. */
export function updateStats(
  S: number,
  B: number,
  T: number,
  stats: Float32Array,
  plan: Float32Array,
  record: Float32Array,
): Float32Array {
  const result = record.slice();
  for (let s = 0; s < S; s++) {
    const steps: number[] = [];
    let k3 = 0;
    let kl = 0;
    for (let row = s * B; row < (s + 1) * B; row++) {
      for (let t = 0; t < plan[2 * row + 1]!; t++) {
        const at = (row * T + t) * 6;
        const delta = stats[at + 4]!;
        const held = Math.max(-20, Math.min(20, delta));
        steps.push(delta);
        k3 += exp(held) - 1 - held;
        kl += stats[at + 2]!;
      }
    }
    result.set([essShare(steps), k3, exp(Math.max(-20, Math.min(20, Math.max(...steps)))), kl], 8 * s);
  }
  return result;
}

export const cases: readonly Case[] = (
  [
    [1, 1, 1, 0.1, 64],
    [3, 5, 4, 0.3, 64],
    [2, 65, 7, 1, 64],
    [1, 130, 3, 1, 192],
    [2, 300, 3, 0.3, 128],
    [1, 7, 3, 90, 64],
    [1, 70, 3, 90, 128],
  ] as const
).map(([S, B, T, size, lanes], k): Case => {
  const lengths = wholes(k, S * B, T + 1).map((n) => (S * B > 1 ? n : 1));
  const plan = Float32Array.from({ length: 2 * S * B }, (_, n) => (n % 2 === 0 ? 0.5 : lengths[n >> 1]!));
  const stats = numbers(k + 1, S * B * T * 6, -1, 1).map((x, n) => (n % 6 === 4 ? x * size : x));
  const record = untouched(S * 8);
  return {
    name: `updateStats ${S}×${B}×${T} on ${lanes} lanes, log-ratios up to ±${size}`,
    ...summed(kernels.updateStats, S, { B, T }, lanes),
    buffers: { parts: untouched(S * lanes * 8), stats, plan, record },
    expected: { record: updateStats(S, B, T, stats, plan, record) },
    // exp of x has a relative error of |x|·1e-7; sums of 900
    tolerance: { abs: 2e-5, rel: 1e-4 },
  };
});
