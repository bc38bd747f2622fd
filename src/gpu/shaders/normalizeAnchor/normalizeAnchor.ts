import { isDegenerate, normalize } from '../../../core/stats.ts';
import { numbers, untouched, wholes, type Case } from '../../conformance.ts';
import { kernels } from '../kernels.ts';
import { keyMatch, keysFor, shapes } from '../keyMatch/keyMatch.ts';

/** Normalize over all steps of a replica with the same head, or 1 where the set can be compared; padding 0. */
export function normalizeAnchor(
  S: number,
  B: number,
  T: number,
  mode: 'std' | 'mean' | 'comparable',
  population: boolean,
  x: Float32Array,
  head: Uint32Array,
): Float32Array {
  const y = new Float32Array(S * B * T);
  for (let s = 0; s < S; s++) {
    const groups = new Map<number, number[]>();
    for (let k = s * B * T; k < (s + 1) * B * T; k++) {
      if (head[k] !== 0xffffffff) groups.set(head[k]!, [...(groups.get(head[k]!) ?? []), k]);
    }
    for (const steps of groups.values()) {
      const set = steps.map((k) => x[k]!);
      const values =
        mode === 'comparable' ? set.map(() => (isDegenerate(set) ? 0 : 1)) : normalize(set, mode, population);
      values.forEach((v, n) => (y[steps[n]!] = v));
    }
  }
  return y;
}

const kinds = [
  ['std', false],
  ['std', true],
  ['mean', false],
  ['comparable', false],
] as const;

export const cases: readonly Case[] = shapes.flatMap(([S, B, T, tasks], k) =>
  kinds.map(([mode, population]): Case => {
    const length = wholes(k + 5, S * B, T).map((n) => n + 1);
    const taskIndex = wholes(k + 6, S * B, tasks);
    // a step in no set among real ones: its place in the history is too early
    const head = keyMatch(S, B, T, keysFor(k, S * B * T), length, taskIndex).head.map((h, at) =>
      at > 0 && at % T === 0 ? 0xffffffff : h,
    );
    const x = numbers(k + 9, S * B * T).map((v, at) => (head[at] === 0xffffffff ? 1e30 : v));
    return {
      name: `normalizeAnchor ${mode}${population ? ' over n' : ''}, ${S}×${B}×${T} in ${tasks} groups`,
      kernel: kernels.normalizeAnchor,
      dims: { B, T, mode: ['std', 'mean', 'comparable'].indexOf(mode), population: population ? 1 : 0 },
      groups: [Math.ceil((B * T) / 64), 1, S],
      buffers: { x, head, length, taskIndex, y: untouched(S * B * T) },
      expected: { y: normalizeAnchor(S, B, T, mode, population, x, head) },
      // sums of at most 72 numbers below 1; small groups may have a small spread
      tolerance: { abs: 2e-5, rel: 2e-5 },
    };
  }),
);
