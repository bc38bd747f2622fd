import { LEFT_OUT } from '../../../../core/math/clip.ts';
import { PURPOSE, random } from '../../../../core/random.ts';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { covarianceMarksWith } from '../../../covarianceMarks.ts';

type Sizes = { readonly S: number; readonly B: number; readonly T: number; readonly marksAt: number };
type Given = Readonly<Record<'plan' | 'stats' | 'sampled' | 'credit' | 'taken', Float32Array>> &
  Readonly<Record<'counts' | 'roll', Uint32Array>>;

/** Candidates by all there is to judge by. */
const SNIPPET = `fn mayGo(c: f32, isAbove: bool, A: f32, delta: f32) -> bool { return isAbove && c > -1.0 && A * delta > -0.5; }`;

/** Marks by sorting all units; `passOf`: the candidates are drawn, in a look of this number. */
export function covarianceMarks(
  { S, B, T, marksAt }: Sizes,
  { plan, stats, sampled, credit, counts, roll }: Given,
  passOf: ((s: number) => number) | null,
): Float32Array {
  const out = credit.slice().fill(LEFT_OUT, marksAt, marksAt + S * B * T);
  for (let s = 0; s < S; s++) {
    const steps = Array.from({ length: B * T }, (_, k) => s * B * T + k).filter(
      (step) => plan[2 * Math.floor(step / T)] !== 0 && step % T < plan[2 * Math.floor(step / T) + 1]!,
    );
    const n = steps.length;
    const mean = (x: (step: number) => number): number => steps.reduce((sum, step) => sum + x(step) / n, 0);
    const A = (step: number): number => credit[step]!;
    const delta = (step: number): number => stats[6 * step + 4]!;
    const logp = (step: number): number => sampled[step]! + delta(step);
    const [meanA, meanLogp] = [mean(A), mean(logp)];
    const c = (step: number): number => (A(step) - meanA) * (logp(step) - meanLogp);
    const largest = (of: number[], by: (step: number) => number): number[] => of.sort((u, v) => by(v) - by(u) || u - v);
    let order = largest([...steps], c);
    if (passOf) {
      const least = c(order[counts[2 * n + 1]! - 1] ?? 0);
      order = order.filter((step) => c(step) > Math.max(least, -1) && A(step) * delta(step) > -0.5);
      largest(order, (step) => -(random(roll[2 + s]!, PURPOSE.surveyDraw, roll[1]!, passOf(s), step % (B * T)) >>> 8));
    }
    for (const step of steps) out[marksAt + step] = 0;
    for (const step of order.slice(0, counts[2 * n])) out[marksAt + step] = 1;
  }
  return out;
}

/** `grid`: numbers are multiples of a quarter, so that many covariances are equal. */
const shapes: readonly (readonly [S: number, B: number, T: number, share: number, grid?: boolean])[] = [
  [1, 1, 1, 0.5],
  [2, 7, 5, 0.3],
  [2, 67, 9, 0.02],
  [1, 3, 301, 0.3, true],
];

const quartersOf = (x: Float32Array): Float32Array => x.map((y) => Math.round(4 * y) / 4);

const forms: readonly (readonly [name: string, draws: boolean, words: number])[] = [
  ['the largest', false, 0],
  ['drawn', true, 0],
  ['drawn after as many steps as were taken', true, 3],
];

export const cases: readonly Case[] = shapes.flatMap(([S, B, T, share, grid = false], k): Case[] => {
  const N = S * B * T;
  const marksAt = 2 * (N + 3);
  const lengths = wholes(k, S * B, T).map((n) => n + 1);
  const plan = Float32Array.from({ length: 2 * S * B }, (_, at) =>
    at % 2 === 1 ? lengths[at >> 1]! : (1 + (at >> 1)) % 4,
  );
  const made = (which: number, count: number, low: number, high: number): Float32Array => {
    const x = numbers(9 * k + which, count, low, high);
    return grid ? quartersOf(x) : x;
  };
  const buffers: Given = {
    plan,
    stats: made(1, 6 * N, -1, 1),
    sampled: made(2, 2 * N, -3, 0),
    credit: Float32Array.of(...made(3, marksAt, -2, 2), ...untouched(N + 3)),
    taken: Float32Array.from({ length: 3 * S }, (_, at) => (at % 3 === 2 ? 4 + at : 99)),
    counts: Uint32Array.from({ length: 2 * (B * T + 1) }, (_, at) =>
      at % 2 === 0 ? Math.max(1, Math.floor(share * (at >> 1))) : Math.max(1, Math.ceil(0.6 * (at >> 1))),
    ),
    roll: Uint32Array.of(18, 1234, ...wholes(k, S, 2 ** 32), 5),
  };
  return forms.map(([form, draws, words]): Case => {
    const { roll: _roll, taken, ...rest } = buffers;
    const passOf = (s: number): number => (words > 0 ? taken[3 * s + 2]! : 7);
    return {
      name: `covarianceMarks ${S}×${B}×${T}: ${form}`,
      kernel: covarianceMarksWith(draws ? SNIPPET : null),
      dims: { B, T, marksAt, look: 7, words, at: 2 },
      groups: [1, 1, S],
      buffers: draws ? buffers : rest,
      expected: { credit: covarianceMarks({ S, B, T, marksAt }, buffers, draws ? passOf : null) },
    };
  });
});
