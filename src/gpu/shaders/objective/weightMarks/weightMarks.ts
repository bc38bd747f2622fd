import { mean, std } from '../../../../core/stats.ts';
import { essFromLogWeights } from '../../../../core/math/ess.ts';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { weightMarks as kernel } from '../../../weightMarks.ts';

type Sizes = Readonly<Record<'S' | 'B' | 'T' | 'marksAt' | 'columns' | 'ratesAt', number>>;
/** `credit`: 0 the weight alone, W with 1 w², 2 w²·min(w, cap)²; `rule` of the step: 0 none, 1 the root, 2 linear. */
type Form = { readonly credit: 0 | 1 | 2; readonly rule: 0 | 1 | 2; readonly cap: number; readonly base: number };
type Given = Readonly<
  Record<'plan' | 'stats' | 'outcome' | 'squares' | 'rates' | 'scores' | 'credit', Float32Array>
> & {
  readonly taskIndex: Uint32Array;
};

const EMPTY = 77;

/** Marks and rates of all replicas; EMPTY at steps that are not looked at. */
export function weightMarks(
  { S, B, T, marksAt, columns, ratesAt }: Sizes,
  of: Given,
  { credit, rule, cap, base }: Form,
) {
  const { plan, stats, outcome, taskIndex, squares } = of;
  const marks = of.credit.slice().fill(EMPTY, marksAt, marksAt + S * B * T);
  const rates = of.rates.slice();
  const sum = (x: readonly number[]): number => x.reduce((a, b) => a + b, 0);
  for (let s = 0; s < S; s++) {
    const rows = Array.from({ length: B }, (_, i) => s * B + i).filter((row) => plan[2 * row] !== 0);
    if (rows.length === 0) continue;
    const lambda = new Map(
      rows.map((row) => [
        row,
        sum(Array.from({ length: plan[2 * row + 1]! }, (_, t) => stats[6 * (row * T + t) + 4]!)),
      ]),
    );
    const held = (row: number): number => Math.min(Math.exp(lambda.get(row)!), cap);
    const q = (row: number): number =>
      columns === 0 ? 1 : sum([...squares.subarray(row * columns, (row + 1) * columns)]);
    const W = (row: number): number => Math.exp(2 * lambda.get(row)!) * (credit === 2 ? held(row) ** 2 : 1) * q(row);
    const share = Math.min(1, essFromLogWeights([...lambda.values()]) / base);
    rates[4 * (ratesAt + s)]! *= [1, Math.sqrt(share), share][rule]!;
    for (const row of rows) {
      const members = rows.filter((k) => taskIndex[k] === taskIndex[row]);
      const R = members.map((k) => outcome[k]!);
      const total = sum(members.map(W));
      const baseline = total > 0 ? sum(members.map((k) => W(k) * outcome[k]!)) / total : mean(R);
      const sigma = std(R, true);
      const c = credit === 0 ? 1 : (outcome[row]! - baseline) / (sigma > 1e-8 ? sigma : 1);
      marks.fill(held(row) * c, marksAt + row * T, marksAt + row * T + plan[2 * row + 1]!);
    }
  }
  return { credit: marks, rates };
}

const usual: Form = { credit: 1, rule: 1, cap: 8, base: 1 };

/** Rows of a task in blocks, or anywhere (block = B); `levels`: so many different returns; `reach`: of Δ. */
const shapes: readonly (readonly [
  S: number,
  B: number,
  T: number,
  block: number,
  columns: number,
  levels: number,
  reach: number,
  form: Form,
])[] = [
  [1, 1, 1, 1, 1, 1, 1, usual],
  // equal returns, whose baseline is exactly the return
  [2, 12, 5, 4, 3, 1, 0.5, usual],
  [2, 12, 5, 4, 3, 2, 0.5, usual],
  [3, 67, 9, 67, 2, 9, 0.2, { ...usual, credit: 2, cap: 1.5 }],
  [2, 30, 7, 10, 0, 9, 0.3, { ...usual, rule: 2, base: 0.7 }],
  // more rows than invocations, of which whole tasks are not looked at, or have no length
  [2, 301, 3, 7, 5, 5, 0.4, { ...usual, rule: 0, cap: 2 }],
  [1, 300, 2, 100, 1, 50, 1, { ...usual, rule: 2, base: 0.05 }],
  [2, 257, 3, 257, 0, 3, 0.9, { ...usual, credit: 0, cap: 1.1 }],
  // weights that no float holds
  [1, 9, 6, 3, 2, 4, 40, { ...usual, base: 0.3 }],
];

export const cases: readonly Case[] = shapes.map(([S, B, T, block, columns, levels, reach, form], k): Case => {
  const N = S * B * T;
  const sizes = { S, B, T, marksAt: 2 * (N + 3), columns, ratesAt: 3 };
  const seed = 17 * k;
  const lengths = wholes(seed, S * B, T).map((n) => n + 1);
  const tasks = wholes(seed + 1, S * B, 5);
  const returns = wholes(seed + 2, S * B, levels);
  const task = (row: number): number => (block === B ? tasks[row]! : Math.floor((row % B) / block));
  const buffers: Given = {
    // whole tasks of every fifth block are in another minibatch, and where rows lie anywhere every fifth of them
    plan: Float32Array.from({ length: 2 * S * B }, (_, at) => {
      const i = (at >> 1) % B;
      return at % 2 === 1 ? lengths[at >> 1]! : Number((block === B ? i : Math.floor(i / block)) % 5 !== 3);
    }),
    stats: numbers(seed + 3, 6 * N, -reach, reach),
    outcome: Float32Array.from(returns, (r) => 0.3 + r / 7),
    // a task in which no score has a length
    squares: numbers(seed + 4, Math.max(1, S * B * columns), 0.1, 3).map((x, at) =>
      columns > 0 && task(Math.floor(at / columns)) === 1 ? 0 : x,
    ),
    rates: numbers(seed + 5, 4 * (sizes.ratesAt + S), 0.1, 1),
    scores: untouched(2 * S * B),
    credit: Float32Array.of(...numbers(seed + 6, sizes.marksAt), ...untouched(N + 3)),
    taskIndex: Uint32Array.from({ length: S * B }, (_, row) => task(row)),
  };
  const { credit, rule, cap, base } = form;
  return {
    name: `weightMarks ${S}×${B}×${T} in blocks of ${block}, ${columns} columns, credit ${credit}, rule ${rule}`,
    kernel,
    dims: {
      ...{ B, T, block, marksAt: sizes.marksAt, columns, ratesAt: sizes.ratesAt, credit, rule },
      ...{ logCap: Math.log(cap), base, empty: EMPTY },
    },
    groups: [1, 1, S],
    buffers,
    expected: weightMarks(sizes, buffers, form),
    // weights of up to 9 steps, with exponents up to 4·9·|Δ|; a quotient of returns that are far from equal
    tolerance: { abs: 2e-5, rel: 2e-5 },
  };
});
