import { normalize } from '../../../core/stats.ts';
import { numbers, untouched, wholes, type Case } from '../../conformance.ts';
import { kernels } from '../kernels.ts';
import { keyMatch, keysFor, shapes } from '../keyMatch/keyMatch.ts';

/** Normalize over all steps of a replica with the same head; padding 0. */
export function normalizeAnchor(
  S: number,
  B: number,
  T: number,
  mode: 'std' | 'mean',
  x: Float32Array,
  head: Uint32Array,
): Float32Array {
  const y = new Float32Array(S * B * T);
  for (let s = 0; s < S; s++) {
    const groups = new Map<number, number[]>();
    for (let k = s * B * T; k < (s + 1) * B * T; k++) {
      if (head[k] !== 0xffffffff) groups.set(head[k]!, [...(groups.get(head[k]!) ?? []), k]);
    }
    for (const steps of groups.values())
      normalize(
        steps.map((k) => x[k]!),
        mode,
      ).forEach((v, n) => (y[steps[n]!] = v));
  }
  return y;
}

export const cases: readonly Case[] = shapes.flatMap(([S, B, T, tasks], k) =>
  (['std', 'mean'] as const).map((mode): Case => {
    const length = wholes(k + 5, S * B, T).map((n) => n + 1);
    const taskIndex = wholes(k + 6, S * B, tasks);
    const { head } = keyMatch(S, B, T, keysFor(k, S * B * T), length, taskIndex);
    const x = numbers(k + 9, S * B * T).map((v, at) => (head[at] === 0xffffffff ? 1e30 : v));
    return {
      name: `normalizeAnchor ${mode}, ${S}×${B}×${T} in ${tasks} groups`,
      kernel: kernels.normalizeAnchor,
      dims: { B, T, mode: mode === 'std' ? 0 : 1 },
      groups: [Math.ceil((B * T) / 64), 1, S],
      buffers: { x, head, length, taskIndex, y: untouched(S * B * T) },
      expected: { y: normalizeAnchor(S, B, T, mode, x, head) },
      // sums of at most 72 numbers below 1; small groups may have a small spread
      tolerance: { abs: 2e-5, rel: 2e-5 },
    };
  }),
);
