import { exp } from '../../../../core/fmath.ts';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import type { Tree } from '../../../../contract/units.ts';
import { bound, free, grammarWords, pathOf } from '../../commandWorld.ts';
import { kernels } from '../../kernels.ts';

/** Decisions of every trajectory. */
export function commandUnits(g: Tree, T: number, length: Uint32Array, commands: Uint32Array): Uint32Array {
  return length.map((n, row) => {
    let count = 0;
    for (let t = 0; t < n; t++) count += pathOf(g, commands[row * T + t]!).length;
    return count;
  });
}

/** Effective sample size of the steps, and sums over units: see unitStats.wgsl. */
export function unitStats(
  S: number,
  B: number,
  T: number,
  unitsAt: number,
  stats: Float32Array,
  plan: Float32Array,
  decisions: Uint32Array,
): Float32Array {
  const ess = (deltas: readonly number[]): number => {
    const top = Math.max(...deltas);
    const e = deltas.map((x) => exp(x - top));
    const sum = (x: readonly number[]): number => x.reduce((a, b) => a + b, 0);
    return sum(e) ** 2 / sum(e.map((x) => x * x)) / deltas.length;
  };
  const record = untouched(8 * S);
  for (let s = 0; s < S; s++) {
    const rows = Array.from({ length: B }, (_, i) => s * B + i);
    const perRow = rows.map((row) => Array.from({ length: plan[2 * row + 1]! }, (_, t) => row * T + t));
    const delta = (step: number): number => stats[6 * step + 4]!;
    const steps = perRow.flat();
    const sum = (f: (step: number) => number): number => steps.reduce((a, step) => a + f(step), 0);
    record.set(
      [
        ess(steps.map(delta)),
        sum((step) => stats[unitsAt + 8 * step]!),
        Math.max(...steps.map((step) => stats[unitsAt + 8 * step + 1]!)),
        sum((step) => stats[6 * step + 2]!),
        sum((step) => stats[6 * step + 5]!),
        rows.reduce((a, row) => a + (plan[2 * row + 1]! > 0 ? decisions[row]! : 0), 0),
      ],
      8 * s,
    );
  }
  return record;
}

const counting = (
  [
    [bound, 1, 1],
    [bound, 64, 3],
    [free, 65, 2],
  ] as const
).map(([g, rows, T], seed): Case => {
  const length = wholes(seed, rows, T + 1);
  const picks = wholes(seed + 1, rows * T, 99);
  // written commands; without the mask also words that are none
  const commands = picks.map((k, at) =>
    !g.masked && k % 3 === 0 ? 2 : at % T < length[Math.floor(at / T)]! ? g.commands[k % g.commands.length]! : 777,
  );
  return {
    name: `commandUnits of ${rows}×${T}`,
    kernel: kernels.commandUnits,
    dims: { rows, T, J: g.prefixes.length, masked: g.masked ? 1 : 0, decisions: g.decisions },
    groups: [Math.ceil(rows / 64)],
    buffers: { grammar: grammarWords(g), length, commands, units: new Uint32Array(rows).fill(777) },
    expected: { units: commandUnits(g, T, length, commands) },
  };
});

const looking = (
  [
    [1, 1, 1],
    [2, 65, 3],
  ] as const
).map(([S, B, T], seed): Case => {
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
  return {
    name: `unitStats ${S}×${B}×${T}`,
    kernel: kernels.unitStats,
    dims: { B, T, unitsAt },
    groups: [1, 1, S],
    buffers: { stats, plan, decisions, record: untouched(8 * S) },
    expected: { record: unitStats(S, B, T, unitsAt, stats, plan, decisions) },
    // sums of at most 195 numbers below 2 and of their exp
    tolerance: { abs: 0, rel: 2e-5 },
  };
});

export const cases: readonly Case[] = [...counting, ...looking];
