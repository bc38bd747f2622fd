import { exp } from '../../../../core/fmath.ts';
import { partsOf } from '../../../../core/slices.ts';
import { numbers, stepped, untouched, wholes, type Case } from '../../../conformance.ts';
import { stepKernels } from '../../kernels.ts';

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

/** Numbers of the steps and, where `unitsAt` is not 0, of their units and of the decisions of a trajectory. */
type Counted = {
  readonly unitsAt: number;
  readonly stats: Float32Array;
  readonly plan: Float32Array;
  readonly decisions: Uint32Array;
};

/** record [S, 8] = ESS share of the steps, Σ ρ − 1 − log ρ, largest ρ, Σ KL to the reference, decisions. */
export function updateStats(
  [S, B, T]: readonly [S: number, B: number, T: number],
  { unitsAt, stats, plan, decisions }: Counted,
  record: Float32Array,
): Float32Array {
  const result = record.slice();
  for (let s = 0; s < S; s++) {
    const steps: number[] = [];
    let k3 = 0;
    let kl = 0;
    let most = 0;
    let decided = 0;
    for (let row = s * B; row < (s + 1) * B; row++) {
      if (unitsAt > 0 && plan[2 * row + 1]! > 0) decided += decisions[row]!;
      for (let t = 0; t < plan[2 * row + 1]!; t++) {
        const step = row * T + t;
        const delta = stats[6 * step + 4]!;
        const held = Math.max(-20, Math.min(20, delta));
        steps.push(delta);
        k3 += unitsAt > 0 ? stats[unitsAt + 8 * step]! : exp(held) - 1 - held;
        most = Math.max(most, unitsAt > 0 ? stats[unitsAt + 8 * step + 1]! : exp(held));
        kl += stats[6 * step + 2]!;
      }
    }
    result.set([essShare(steps), k3, most, kl, decided], 8 * s);
  }
  return result;
}

const ofSteps = (
  [
    [1, 1, 1, 0.1, 'software'],
    [3, 5, 4, 0.3, 'software'],
    [2, 65, 7, 1, 'software'],
    [1, 130, 3, 1, 'software'],
    [2, 300, 3, 0.3, 'few lanes'],
    [1, 7, 3, 90, 'software'],
    [1, 1, 1, 0.1, 'card'],
    [2, 5, 37, 0.3, 'card'],
    [1, 128, 3, 1, 'card'],
    [2, 130, 7, 1, 'card'],
    [1, 7, 3, 90, 'card'],
    [1, 140, 5, 90, 'card'],
  ] as const
).map(([S, B, T, size, form], k): Case => {
  const lengths = wholes(k, S * B, T + 1).map((n) => (S * B > 1 ? n : 1));
  const plan = Float32Array.from({ length: 2 * S * B }, (_, n) => (n % 2 === 0 ? 0.5 : lengths[n >> 1]!));
  const stats = numbers(k + 1, S * B * T * 6, -1, 1).map((x, n) => (n % 6 === 4 ? x * size : x));
  const record = untouched(S * 8);
  // not read
  const decisions = new Uint32Array([777]);
  return {
    name: `updateStats ${S}×${B}×${T}, log-ratios up to ±${size}, ${form}`,
    ...stepped(stepKernels.updateStats, S, { B, T, unitsAt: 0 }, form),
    buffers: { parts: untouched(partsOf(S, B, 1)), stats, plan, record, decisions },
    expected: { record: updateStats([S, B, T], { unitsAt: 0, stats, plan, decisions }, record) },
    // exp of x has a relative error of |x|·1e-7; sums of 900
    tolerance: { abs: 2e-5, rel: 1e-4 },
  };
});

const ofUnits = (
  [
    [1, 1, 1, 'software'],
    [2, 65, 3, 'software'],
    [1, 130, 2, 'software'],
    [2, 9, 13, 'card'],
    [2, 130, 5, 'card'],
  ] as const
).map(([S, B, T, form], seed): Case => {
  const N = S * B * T;
  const unitsAt = 6 * N + 5;
  const stats = numbers(seed, unitsAt + 8 * N, 0, 2);
  const decisions = wholes(seed, S * B, 9);
  const plan = Float32Array.from({ length: 2 * S * B }, (_, k) => (k % 2 === 0 ? 0.5 : B > 1 ? (k >> 1) % (T + 1) : 1));
  // steps after the last one hold garbage
  for (let step = 0; step < N; step++) {
    if (step % T < plan[2 * Math.floor(step / T) + 1]!) continue;
    stats.fill(1e30, 6 * step, 6 * step + 6);
    stats.fill(1e30, unitsAt + 8 * step, unitsAt + 8 * step + 8);
  }
  const record = untouched(8 * S);
  return {
    name: `updateStats of units ${S}×${B}×${T}, ${form}`,
    ...stepped(stepKernels.updateStats, S, { B, T, unitsAt }, form),
    buffers: { parts: untouched(partsOf(S, B, 1)), stats, plan, decisions, record },
    expected: { record: updateStats([S, B, T], { unitsAt, stats, plan, decisions }, record) },
    // sums of at most 260 numbers below 2 and of their exp
    tolerance: { abs: 0, rel: 2e-5 },
  };
});

export const cases: readonly Case[] = [...ofSteps, ...ofUnits];
