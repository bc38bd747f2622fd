import { exp } from '../../../../core/fmath.ts';
import { partsOf } from '../../../../core/slices.ts';
import { numbers, stepped, untouched, wholes, type Case } from '../../../conformance.ts';
import { judge, type Clip } from '../coefficients/coefficients.ts';
import { stepKernels } from '../../kernels.ts';

export type RatioInputs = {
  readonly stats: Float32Array;
  readonly plan: Float32Array;
  readonly sampled: Float32Array;
  readonly credit: Float32Array;
  readonly taskIndex: Uint32Array;
};

const sum = (x: readonly number[]): number => x.reduce((total, y) => total + y, 0);

/** (Σe)² / (n Σe²) with e = exp(λ − max λ). */
function essShare(logWeights: readonly number[]): number {
  const top = Math.max(...logWeights);
  const e = logWeights.map((x) => exp(x - top));
  return sum(e) ** 2 / (e.length * sum(e.map((x) => x * x)));
}

/** rowSum [S, B] and record [S, 16], see ratioStats.wgsl. */
export function ratioStats(
  S: number,
  B: number,
  T: number,
  unitsAt: number,
  clip: Clip & { readonly section: number },
  inputs: RatioInputs,
  before: { readonly rowSum: Float32Array; readonly record: Float32Array },
): { rowSum: Float32Array; record: Float32Array } {
  const { stats, plan, sampled, credit, taskIndex } = inputs;
  const rowSum = before.rowSum.slice();
  const record = before.record.slice();
  for (let s = 0; s < S; s++) {
    const rows = Array.from({ length: B }, (_, i) => s * B + i).filter((row) => plan[2 * row] !== 0);
    const stepsOf = (row: number): number[] => Array.from({ length: plan[2 * row + 1]! }, (_, t) => row * T + t);
    const steps = rows.flatMap(stepsOf);
    const delta = (k: number): number => stats[6 * k + 4]!;
    const words = unitsAt > 0;
    const units = (k: number): number => (words ? stats[6 * k + 5]! : 1);
    // sum number `at` of the units of a step, or of the step itself where it is one unit
    const total = (at: number, one: (k: number) => number): number =>
      sum(steps.map((k) => (words ? stats[unitsAt + 8 * k + at]! : one(k))));
    const held = (x: number): number => Math.max(-20, Math.min(20, x));
    const rho = (k: number): number => exp(held(delta(k)));
    const lambda = new Map(rows.map((row) => [row, sum(stepsOf(row).map(delta))]));
    for (const [row, x] of lambda) rowSum[row] = x;
    const all = [...lambda.values()];
    const groupOf = (row: number): number => taskIndex[row]!;
    const groups = [...new Set(rows.map(groupOf))].map((g) =>
      essShare(rows.filter((row) => groupOf(row) === g).map((row) => lambda.get(row)!)),
    );
    const n = sum(steps.map(units));
    const meanA = sum(steps.map((k) => units(k) * credit[k]!)) / n;
    const logp = (k: number): number => sampled[k]! + delta(k);
    const meanL = sum(steps.map(logp)) / n;
    const judged = (k: number): { code: number; out: boolean } =>
      judge(clip, stats[6 * k + 3]!, credit[k]!, delta(k), credit[2 * clip.section + k] ?? 0);
    const code = (c: number): number => total(3 + c, (k) => Number(judged(k).code === c));
    const top = Math.max(...all);
    record.set(
      [
        essShare(all),
        essShare(all.map((x) => Math.min(x, Math.log(8)))),
        sum(groups) / groups.length,
        1 / sum(all.map((x) => exp(x - top))),
        sum(all.map((x) => exp(held(x)))) / all.length,
        total(2, rho),
        sum(steps.map(delta)),
        total(3, (k) => delta(k) ** 2),
        ...[1, 2, 3].map(code),
        total(7, (k) => Number(judged(k).out)),
        sum(steps.map((k) => (credit[k]! - meanA) * (logp(k) - units(k) * meanL))) / n,
        total(0, (k) => rho(k) - 1 - held(delta(k))),
        n,
        all.length,
      ],
      16 * s,
    );
  }
  return { rowSum, record };
}

export const cases: readonly Case[] = (
  [
    [1, 1, 1, 1, 0.1, 'own', 'software'],
    [3, 5, 4, 2, 0.3, 'none', 'software'],
    [2, 65, 7, 9, 1, 'around marks', 'software'],
    [1, 130, 3, 70, 0.01, 'own', 'software'],
    [2, 300, 3, 43, 0.3, 'around marks', 'few lanes'],
    [1, 7, 3, 2, 90, 'none', 'software'],
    [1, 1, 1, 1, 0.1, 'own', 'card'],
    [2, 5, 37, 2, 0.3, 'none', 'card'],
    [2, 65, 7, 9, 1, 'around marks', 'card'],
    [1, 7, 3, 2, 90, 'none', 'card'],
    [1, 140, 5, 7, 90, 'none', 'card'],
    [2, 130, 3, 70, 0.01, 'own', 'card'],
  ] as const
).flatMap(([S, B, T, P, size, form, device], k) =>
  [false, true].map((words): Case => {
    const N = S * B * T;
    // the rows of a group lie anywhere in every other case
    const block = words === k % 2 > 0 ? Math.ceil(B / P) : B;
    const anywhere = wholes(k + 5, S * B, P);
    const taskIndex = block === B ? anywhere : anywhere.map((_, row) => Math.floor((row % B) / block));
    const unitsAt = words ? 6 * N : 0;
    const lengths = wholes(k, S * B, T).map((n) => n + 1);
    // every fourth trajectory is left out where there are several
    const plan = Float32Array.from({ length: 2 * S * B }, (_, n) =>
      n % 2 === 0 ? ((n >> 1) % 4 === 2 ? 0 : 0.5) : lengths[n >> 1]!,
    );
    const isReal = (step: number): boolean => step % T < lengths[Math.floor(step / T)]!;
    const stats = numbers(k + 1, 14 * N).map((x, n) => {
      if (n >= 6 * N) return isReal(Math.floor((n - 6 * N) / 8)) ? Math.abs(x) : 1e30;
      if (!isReal(Math.floor(n / 6))) return 1e30;
      // clip codes, Δ, units
      if (n % 6 === 3) return Math.floor(2.5 * (x + 1));
      return n % 6 === 4 ? x * size : n % 6 === 5 ? 1 + Math.floor(1.5 * (x + 1)) : x;
    });
    const inputs = {
      stats,
      plan,
      sampled: numbers(k + 3, 2 * N, -3, 0),
      credit: numbers(k + 4, (form === 'around marks' ? 3 : 2) * N, -2, 2),
      taskIndex,
    };
    const clip = {
      clips: form === 'none' ? 0 : 1,
      ...{ low: 0.8, high: 1.28, ofDelta: 1, ofMark: form === 'around marks' ? -1 : 0, section: N },
    };
    const before = { rowSum: untouched(S * B), record: untouched(S * 16) };
    return {
      name: `ratioStats ${S}×${B}×${T} on ${device}, log-ratios up to ±${size}${words ? ', words' : ''}, clip: ${form}, groups ${block === B ? 'anywhere' : `of ${block}`}`,
      ...stepped(stepKernels.ratioStats, S, { B, T, P, block, unitsAt, ...clip }, device),
      buffers: { ...inputs, ...before, parts: untouched(partsOf(S, B, 1)) },
      expected: ratioStats(S, B, T, unitsAt, clip, inputs, before),
      // exp of x has a relative error of |x|·1e-7; sums of 900; a covariance of numbers up to 3
      tolerance: { abs: 5e-5, rel: 1e-4 },
    };
  }),
);
