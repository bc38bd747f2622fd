import { mean, normalize } from '../../../../core/stats.ts';
import { untouched, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';
import { shapes } from '../keyMatch/keyMatch.ts';
import { inputs, kinds, MODES, setsOf, setStats, type Mode } from '../setStats/setStats.ts';

function valuesOf(set: number[], mode: Mode, population: boolean): ArrayLike<number> & Iterable<number> {
  if (mode === 'average') return set.map(() => mean(set));
  return normalize(set, mode, population);
}

/** Normalize over all steps of a replica with the same head, or the mean of the set; padding 0. */
export function normalizeAnchor(
  S: number,
  B: number,
  T: number,
  mode: Mode,
  population: boolean,
  x: Float32Array,
  head: Uint32Array,
): Float32Array {
  const y = new Float32Array(S * B * T);
  for (let s = 0; s < S; s++) {
    for (const steps of setsOf(S, s, head).values()) {
      const set = steps.map((k) => x[k]!);
      const values = valuesOf(set, mode, population);
      steps.forEach((k, n) => (y[k] = values[n]!));
    }
  }
  return y;
}

export const cases: readonly Case[] = shapes.flatMap(([S, B, T, tasks], k) =>
  kinds.map(([mode, population]): Case => {
    const { head, x } = inputs(k, S, B, T, tasks);
    return {
      name: `normalizeAnchor ${mode}${population ? ' over n' : ''}, ${S}×${B}×${T} in ${tasks} groups`,
      kernel: kernels.normalizeAnchor,
      dims: { B, T, mode: MODES.indexOf(mode) },
      groups: [Math.ceil((B * T) / 64), 1, S],
      buffers: { x, head, stats: setStats(S, B, T, mode, population, false, x, head), y: untouched(S * B * T) },
      expected: { y: normalizeAnchor(S, B, T, mode, population, x, head) },
      // a difference and a quotient; small groups may have a small spread
      tolerance: { abs: 2e-5, rel: 2e-5 },
    };
  }),
);
