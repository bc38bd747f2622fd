import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { batchMarksWith } from '../../../batchMarks.ts';

type Sizes = { readonly S: number; readonly B: number; readonly T: number; readonly marksAt: number };
type Given = Readonly<Record<'plan' | 'stats' | 'credit' | 'known', Float32Array>>;

/** An objective whose marks read all there is, to test the frame around any. */
const snippet = (rounds: number): string => `const ROUNDS = ${rounds}u;
fn termOf(u: Unit) -> f32 { return u.prox; }
fn partOf(u: Unit, all: vec4f) -> vec4f { return vec4f(u.A - all.x, u.sum / u.n, u.delta, -u.A); }
fn markOf(u: Unit, all: vec4f) -> vec2f {
  return vec2f(u.A - all.x + all.y * u.sum + all.z, u.delta - all.w * u.prox + u.n);
}`;

const EMPTY = 77;

/** Marks and what is told of the steps of every trajectory with a weight, EMPTY for all others; the rest stays. */
export function batchMarks({ S, B, T, marksAt }: Sizes, of: Given, rounds: number): Given {
  const { plan, stats } = of;
  const [credit, known] = [of.credit.slice(), of.known.slice()];
  const N = S * B * T;
  credit.fill(EMPTY, marksAt, marksAt + N);
  known.fill(EMPTY, N, 2 * N);
  for (let s = 0; s < S; s++) {
    const rows = Array.from({ length: B }, (_, i) => s * B + i).filter((row) => plan[2 * row] !== 0);
    const units = rows.flatMap((row) => {
      const n = plan[2 * row + 1]!;
      const steps = Array.from({ length: n }, (_, t) => row * T + t);
      const sum = steps.reduce((total, step) => total + known[step]!, 0);
      return steps.map((step) => ({
        ...{ step, sum, n, A: credit[step]!, delta: stats[6 * step + 4]!, prox: known[step]! },
      }));
    });
    const mean = (x: readonly number[]): number => x.reduce((sum, y) => sum + y, 0) / x.length;
    const most = (x: readonly number[]): number => x.reduce((a, b) => Math.max(a, b));
    const all =
      rounds === 0 || units.length === 0
        ? [0, 0, 0, 0]
        : [
            // the second round finds that nothing is left of the first mean
            mean(units.map(({ A }) => A)),
            mean(units.map(({ sum, n }) => sum / n)),
            most(units.map(({ delta }) => delta)),
            most(units.map(({ A }) => -A)),
          ];
    for (const { step, sum, n, A, delta, prox } of units) {
      credit[marksAt + step] = A - all[0]! + all[1]! * sum + all[2]!;
      known[N + step] = delta - all[3]! * prox + n;
    }
  }
  return { plan, stats, credit, known };
}

const shapes: readonly (readonly [S: number, B: number, T: number, rounds: number])[] = [
  [1, 1, 1, 1],
  [2, 7, 5, 0],
  [2, 67, 9, 2],
  [1, 3, 301, 1],
  [3, 301, 3, 2],
];

export const cases: readonly Case[] = shapes.map(([S, B, T, rounds], k): Case => {
  const N = S * B * T;
  const sizes = { S, B, T, marksAt: 2 * (N + 3) };
  const lengths = wholes(k, S * B, T).map((n) => n + 1);
  const buffers: Given = {
    plan: Float32Array.from({ length: 2 * S * B }, (_, at) => (at % 2 === 1 ? lengths[at >> 1]! : (1 + (at >> 1)) % 4)),
    stats: numbers(9 * k + 1, 6 * N, -1, 1),
    credit: Float32Array.of(...numbers(9 * k + 2, sizes.marksAt, -2, 2), ...untouched(N + 3)),
    known: Float32Array.of(...numbers(9 * k + 3, N, -0.5, 0.5), ...untouched(N)),
  };
  const { credit, known } = batchMarks(sizes, buffers, rounds);
  return {
    name: `batchMarks ${S}×${B}×${T}, ${rounds} rounds`,
    kernel: batchMarksWith(snippet(rounds)),
    dims: { B, T, marksAt: sizes.marksAt, toldAt: N, empty: EMPTY },
    groups: [1, 1, S],
    buffers,
    expected: { credit, known },
    // sums of up to 301 numbers below a half, and their products
    tolerance: { abs: 2e-5, rel: 1e-5 },
  };
});
