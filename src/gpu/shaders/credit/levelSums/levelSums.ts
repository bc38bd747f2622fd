import { numbers, untouched, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';
import { shapes } from '../keyMatch/keyMatch.ts';
import { normalizeAnchor } from '../normalizeAnchor/normalizeAnchor.ts';
import { inputs, setStats } from '../setStats/setStats.ts';

/** credit += w·Normalize(x, std over n) and weight += w where the set of a step can be compared; both [S, B, T]. */
function levelSums(
  S: number,
  B: number,
  T: number,
  mode: 'std' | 'mean',
  w: number,
  x: Float32Array,
  head: Uint32Array,
  credit: Float32Array,
  weight: Float32Array,
): { credit: Float32Array; weight: Float32Array } {
  const normal = normalizeAnchor(S, B, T, mode, true, x, head);
  const stats = setStats(S, B, T, mode, true, false, x, head);
  const isCompared = (k: number): boolean => {
    const first = Math.floor(k / (B * T)) * B * T + head[k]!;
    return head[k] !== 0xffffffff && stats[2 * first + 1] !== 0;
  };
  return {
    credit: credit.map((c, k) => (isCompared(k) ? c + w * normal[k]! : c)),
    weight: weight.map((v, k) => (isCompared(k) ? v + w : v)),
  };
}

export const cases: readonly Case[] = shapes.flatMap(([S, B, T, tasks], k) =>
  (['std', 'mean'] as const).flatMap((mode) =>
    [true, false].map((isFirst): Case => {
      const { head, x } = inputs(k, S, B, T, tasks);
      const size = S * B * T;
      const before = (seed: number): Float32Array => (isFirst ? untouched(size) : numbers(seed, size));
      const zero = new Float32Array(size);
      const [credit, weight] = isFirst ? [zero, zero] : [before(k + 20), before(k + 21)];
      const stats = setStats(S, B, T, mode, true, false, x, head);
      return {
        name: `levelSums ${mode}${isFirst ? ', first' : ''}, ${S}×${B}×${T} in ${tasks} groups`,
        kernel: kernels.levelSums,
        dims: { B, T, first: isFirst ? 1 : 0, w: 1.75 },
        groups: [Math.ceil((B * T) / 64), 1, S],
        buffers: { x, head, stats, credit: before(k + 20), weight: before(k + 21) },
        expected: levelSums(S, B, T, mode, 1.75, x, head, credit, weight),
        // a difference, a quotient and a product; small groups may have a small spread
        tolerance: { abs: 4e-5, rel: 4e-5 },
      };
    }),
  ),
);
