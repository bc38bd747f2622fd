import { isDegenerate, mean, std } from '../../../../core/stats.ts';
import { numbers, untouched, wholes, type Case, UNTOUCHED } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';
import { keyMatch, keysFor, linksOf, shapes } from '../keyMatch/keyMatch.ts';

const NONE = 0xffffffff;
export const MODES = ['std', 'mean', 'average'] as const;
export type Mode = (typeof MODES)[number];

/** Steps of every set of replica s by the flat index of its first step. */
export function setsOf(S: number, s: number, head: Uint32Array): Map<number, number[]> {
  const size = head.length / S;
  const sets = new Map<number, number[]>();
  for (let k = s * size; k < (s + 1) * size; k++)
    if (head[k] !== NONE) sets.set(head[k]!, [...(sets.get(head[k]!) ?? []), k]);
  return sets;
}

/**
 * Mean and divisor of every set at its first step, [S, B, T, 2]; divisor 0 where the set cannot be compared. `once`: only
 * the first step of each trajectory counts.
 */
export function setStats(
  S: number,
  B: number,
  T: number,
  mode: Mode,
  population: boolean,
  once: boolean,
  x: Float32Array,
  head: Uint32Array,
): Float32Array {
  const stats = untouched(2 * S * B * T);
  for (let s = 0; s < S; s++) {
    for (const [first, steps] of setsOf(S, s, head)) {
      const rows = steps.map((k) => Math.floor(k / T));
      const set = steps.filter((_, n) => !once || rows[n] !== rows[n - 1]).map((k) => x[k]!);
      const divisor = mode === 'std' ? std(set, population) + 1e-6 : 1;
      stats[2 * (s * B * T + first)] = mean(set);
      stats[2 * (s * B * T + first) + 1] = isDegenerate(set) ? 0 : divisor;
    }
  }
  return stats;
}

export const kinds: readonly (readonly [Mode, boolean])[] = [
  ['std', false],
  ['std', true],
  ['mean', false],
  ['average', false],
];

/** Inputs in which some real steps are in no set, as those are whose place in the history is too early. */
export function inputs(k: number, S: number, B: number, T: number, tasks: number) {
  const length = wholes(k + 5, S * B, T).map((n) => n + 1);
  const taskIndex = wholes(k + 6, S * B, tasks);
  const all = keyMatch(S, B, T, keysFor(k, S * B * T), length, taskIndex);
  const head = new Uint32Array(all.length).fill(NONE);
  const first = new Map<string, number>();
  all.forEach((h, at) => {
    if (h === NONE || (at > 0 && at % T === 0)) return;
    const name = `${Math.floor(at / (B * T))} ${h}`;
    if (!first.has(name)) first.set(name, at % (B * T));
    head[at] = first.get(name)!;
  });
  const x = numbers(k + 9, S * B * T).map((v, at) => (head[at] === NONE ? 1e30 : v));
  return { head, next: linksOf(S, head), x };
}

export const cases: readonly Case[] = shapes.flatMap(([S, B, T, tasks], k) =>
  kinds.flatMap(([mode, population]) =>
    [false, true].map((once): Case => {
      const { head, next, x } = inputs(k, S, B, T, tasks);
      // any order of lanes will do
      const block = once ? B : 2;
      const said = `${mode}${population ? ' over n' : ''}${once ? ', trajectories once' : ''}`;
      return {
        name: `setStats ${said}, ${S}×${B}×${T} in ${tasks} groups`,
        kernel: kernels.setStats,
        dims: { B, T, block, mode: MODES.indexOf(mode), population: population ? 1 : 0, once: once ? 1 : 0 },
        groups: [Math.ceil((Math.ceil(B / block) * block * T) / 64), 1, S],
        buffers: { x, head, next, stats: new Float32Array(2 * S * B * T).fill(UNTOUCHED) },
        expected: { stats: setStats(S, B, T, mode, population, once, x, head) },
        // sums of at most 396 numbers below 1; small groups may have a small spread
        tolerance: { abs: 4e-6, rel: 2e-5 },
      };
    }),
  ),
);
