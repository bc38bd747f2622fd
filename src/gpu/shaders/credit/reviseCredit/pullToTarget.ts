import { exp, log } from '../../../../core/fmath.ts';
import { numbers, summed, untouched, wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

type Dims = {
  readonly B: number;
  readonly T: number;
  readonly actions: number;
  readonly section: number;
  readonly target_: number;
};
type Arrays = {
  readonly length: Uint32Array;
  readonly ending: Uint32Array;
  readonly sampled: Float32Array;
  readonly choice: Uint32Array;
  readonly probs: Float32Array;
  readonly credit: Float32Array;
};

/** (1 − α)A + α·[success]·ϱ of replica s into `credit`: see pullToTarget.wgsl. */
function pullOne({ B, T, actions, section, target_: H0 }: Dims, x: Arrays, s: number, credit: Float32Array): void {
  const rows = Array.from({ length: B }, (_, i) => s * B + i);
  const steps = rows.flatMap((row) => Array.from({ length: x.length[row]! }, (_, t) => ({ row, k: row * T + t })));
  const H = steps.reduce((sum, { k }) => sum + x.sampled[section + k]!, 0) / steps.length;
  const wins = rows.reduce((sum, row) => sum + x.ending[4 * row]!, 0);
  const tau = H <= H0 ? 1.2 : 0.8;
  const raw = wins > 0 ? Math.min(Math.abs(H0 - H), 0.1) / (wins / B) : 0;
  const alpha = raw / (1 + raw);
  for (const { row, k } of steps) {
    const power = (b: number): number => exp(log(x.probs[k * actions + b]!) / tau);
    let total = 0;
    for (let b = 0; b < actions; b++) if (x.probs[k * actions + b]! > 0) total += power(b);
    const a = x.choice[section + k]!;
    const ratio = power(a) / total / x.probs[k * actions + a]!;
    credit[k] = (1 - alpha) * x.credit[k]! + (x.ending[4 * row] === 1 ? alpha * ratio : 0);
  }
}

export const cases: readonly Case[] = (
  [
    [1, 1, 1, 0.5, 64],
    [3, 5, 4, 1.2, 64],
    [2, 65, 3, 2, 64],
    [3, 130, 2, 0.5, 192],
    [2, 300, 2, 1.2, 128],
    [2, 63, 3, 0.5, 64],
    [2, 4097, 1, 1.2, 4160],
  ] as const
).map(([S, B, T, target_, lanes], seed): Case => {
  const actions = 4;
  const N = S * B * T;
  const section = N + 5;
  const dims: Dims = { B, T, actions, section, target_ };
  const raw = numbers(seed, N * actions, 0.01, 1);
  const arrays: Arrays = {
    length: wholes(seed + 1, S * B, T).map((n) => n + 1),
    // nobody in the last replica succeeds
    ending: wholes(seed + 2, 4 * S * B, 2).map((w, at) => (S > 1 && at >= 4 * (S - 1) * B ? 0 : w)),
    sampled: numbers(seed + 3, 3 * section, 0.2, 1.3),
    choice: wholes(seed + 4, 2 * section, actions),
    // one action of some steps is illegal: probability 0, never taken
    probs: raw.map((p, at) => {
      const k = Math.floor(at / actions);
      const row = raw.subarray(k * actions, (k + 1) * actions);
      return p / row.reduce((sum, q) => sum + q, 0);
    }),
    credit: numbers(seed + 5, 2 * section, -2, 2),
  };
  for (let k = 0; k < N; k += 3) arrays.probs[k * actions + ((arrays.choice[section + k]! + 1) % actions)] = 0;
  const credit = arrays.credit.slice();
  for (let s = 0; s < S; s++) pullOne(dims, arrays, s, credit);
  return {
    name: `pullToTarget ${S}×${B}×${T} on ${lanes} lanes`,
    ...summed(kernels.pullToTarget, S, dims, lanes, true),
    buffers: { ...arrays, parts: untouched(S * lanes * 3) },
    expected: { credit },
    // powers of numbers from 0.002 on, a sum of four of them and two divisions
    tolerance: { abs: 1e-6, rel: 2e-5 },
  };
});
