import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { groupMarksWith } from '../../../groupMarks.ts';

type Sizes = { readonly S: number; readonly B: number; readonly T: number; readonly marksAt: number };
type Rows = Readonly<Record<'plan' | 'stats' | 'sampled' | 'outcome' | 'credit', Float32Array>> &
  Readonly<Record<'taskIndex' | 'own', Uint32Array>>;

/** An objective whose marks read all there is, to test the frame around any. */
const SNIPPET = `fn markOf(A: f32, sum: f32, logp: f32, delta: f32, isShown: bool) -> f32 {
  return select(A + logp, A * delta, isShown) + sum;
}`;

const EMPTY = 77;

/** Marks by A, the return above the mean of the own rows of the task that are looked at; tasks without such have marks 0. */
export function groupMarks({ S, B, T, marksAt }: Sizes, of: Rows): Float32Array {
  const { plan, stats, sampled, outcome, taskIndex, own, credit } = of;
  const out = credit.slice().fill(EMPTY, marksAt, marksAt + S * B * T);
  for (let row = 0; row < S * B; row++) {
    const [weight, n] = plan.subarray(2 * row) as unknown as [number, number];
    if (weight === 0) continue;
    const from = row - (row % B);
    const members = Array.from({ length: B }, (_, k) => from + k).filter(
      (k) => plan[2 * k] !== 0 && taskIndex[k] === taskIndex[row] && own[k] !== 0,
    );
    const A = outcome[row]! - members.reduce((sum, k) => sum + outcome[k]! / members.length, 0);
    let moved = 0;
    for (let step = row * T; step < row * T + n; step++) moved += stats[6 * step + 4]!;
    for (let step = row * T; step < row * T + n; step++) {
      const delta = stats[6 * step + 4]!;
      const mark = (own[row] === 0 ? A * delta : A + sampled[step]! + delta) + moved;
      out[marksAt + step] = members.length === 0 ? 0 : mark;
    }
  }
  return out;
}

const shapes = [
  // rows of a task in a block, and anywhere
  [1, 1, 1, 1],
  [2, 66, 5, 3],
  [2, 65, 4, 65],
] as const;

export const cases: readonly Case[] = shapes.map(([S, B, T, block], k): Case => {
  const N = S * B * T;
  const marksAt = 2 * (N + 3);
  const lengths = wholes(k, S * B, T).map((n) => n + 1);
  const shown = wholes(k + 1, S * B, 3);
  const plan = Float32Array.from({ length: 2 * S * B }, (_, at) => (at % 2 === 1 ? lengths[at >> 1]! : (at >> 1) % 5));
  const buffers = {
    plan,
    stats: numbers(k + 2, 6 * N, -2, 2),
    sampled: numbers(k + 3, 2 * N, -3, 0),
    outcome: numbers(k + 4, S * B),
    taskIndex: Uint32Array.from({ length: S * B }, (_, row) =>
      block === B ? (7 * row) % 4 : Math.floor((row % B) / block),
    ),
    // with blocks of three, the second task has no row of its own
    own: lengths.map((n, row) => (shown[row] === 0 || (block === 3 && Math.floor((row % B) / 3) === 1) ? 0 : n)),
    credit: Float32Array.of(...numbers(k + 5, marksAt), ...untouched(N + 3)),
  };
  return {
    name: `groupMarks ${S}×${B}×${T}, blocks of ${block}`,
    kernel: groupMarksWith(SNIPPET),
    dims: { B, T, block, marksAt, empty: EMPTY },
    groups: [Math.ceil(B / 64), 1, S],
    buffers,
    expected: { credit: groupMarks({ S, B, T, marksAt }, buffers) },
    // a mean of numbers below 1, twice a product, and a sum of five numbers below 2
    tolerance: { abs: 1e-5, rel: 1e-5 },
  };
});
