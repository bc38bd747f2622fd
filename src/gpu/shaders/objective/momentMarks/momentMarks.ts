import { LEFT_OUT } from '../../../../core/math/clip.ts';
import { secondMoment } from '../../../../core/math/secondMoment.ts';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { momentMarks } from '../../../momentMarks.ts';

type Sizes = {
  readonly S: number;
  readonly B: number;
  readonly T: number;
  readonly marksAt: number;
  readonly limit: number;
};
type Given = Readonly<Record<'plan' | 'known' | 'credit', Float32Array>>;

/** Marks of the steps of every trajectory with a weight: Δ_prox where it stays; LEFT_OUT elsewhere. The rest stays. */
export function marksOfMoment({ S, B, T, marksAt, limit }: Sizes, { plan, known, credit }: Given): Given {
  const marked = credit.slice();
  marked.fill(LEFT_OUT, marksAt, marksAt + S * B * T);
  for (let s = 0; s < S; s++) {
    const steps = Array.from({ length: B }, (_, i) => s * B + i)
      .filter((row) => plan[2 * row] !== 0)
      .flatMap((row) => Array.from({ length: plan[2 * row + 1]! }, (_, t) => row * T + t));
    const kept = secondMoment(
      Float64Array.from(steps, (step) => known[step]!),
      limit,
    );
    steps.forEach((step, u) => {
      if (kept[u] === 1) marked[marksAt + step] = known[step]!;
    });
  }
  return { plan, known, credit: marked };
}

/** `levels`: so many different |Δ_prox|, and with them units that are equal; none: all differ. */
const shapes: readonly (readonly [S: number, B: number, T: number, limit: number, levels?: number])[] = [
  [1, 1, 1, 0.0001],
  // nothing is left out
  [2, 7, 5, 10],
  [2, 67, 9, 0.03],
  [1, 3, 301, 0.01],
  [3, 301, 3, 0.05],
  // the last of the smallest ones stays
  [2, 13, 7, 0.0001, 3],
  [1, 41, 11, 0.03719, 4],
  [2, 90, 5, 0.0713, 7],
];

export const cases: readonly Case[] = shapes.map(([S, B, T, limit, levels], k): Case => {
  const N = S * B * T;
  const sizes = { S, B, T, marksAt: 2 * (N + 3), limit };
  const lengths = wholes(k, S * B, T).map((n) => n + 1);
  const coarse = levels ?? 0;
  const buffers: Given = {
    plan: Float32Array.from({ length: 2 * S * B }, (_, at) => (at % 2 === 1 ? lengths[at >> 1]! : (1 + (at >> 1)) % 4)),
    // levels: eighths, with signs in turn
    known: Float32Array.of(
      ...numbers(9 * k + 1, N, -0.5, 0.5).map((x, i) =>
        coarse > 0 ? ((1 + (Math.floor(Math.abs(x) * 1e6) % coarse)) / 8) * (i % 2 === 0 ? 1 : -1) : x,
      ),
      ...untouched(N),
    ),
    credit: Float32Array.of(...numbers(9 * k + 2, sizes.marksAt, -2, 2), ...untouched(N + 3)),
  };
  return {
    name: `momentMarks ${S}×${B}×${T}, limit ${limit}${coarse > 0 ? `, ${coarse} levels` : ''}`,
    kernel: momentMarks,
    dims: { B, T, marksAt: sizes.marksAt, limit },
    groups: [1, 1, S],
    buffers,
    expected: { credit: marksOfMoment(sizes, buffers).credit },
    // every mark is one of the given numbers
    tolerance: { abs: 0, rel: 0 },
  };
});
