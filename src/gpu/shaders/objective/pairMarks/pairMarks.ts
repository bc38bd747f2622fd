import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { pairMarks as kernel } from '../../../pairMarks.ts';

type Form = {
  readonly maxPairs: number;
  readonly scale: number;
  readonly lambda: number;
  /** null: −log σ(x) */
  readonly apart: number | null;
  readonly byGap: boolean;
  readonly mean: boolean;
  readonly ofLogp: boolean;
};
type Sizes = Readonly<Record<'S' | 'B' | 'T' | 'marksAt', number>>;
type Given = Readonly<Record<'plan' | 'stats' | 'sampled' | 'outcome' | 'scores' | 'credit', Float32Array>> & {
  readonly taskIndex: Uint32Array;
};

const EMPTY = 77;

/** Marks from all pairs of a task in order, of which maxPairs evenly spaced ones count; EMPTY at steps that are not looked at. */
export function pairMarks({ S, B, T, marksAt }: Sizes, of: Given, form: Form): Float32Array {
  const { plan, stats, sampled, outcome, taskIndex } = of;
  const credit = of.credit.slice().fill(EMPTY, marksAt, marksAt + S * B * T);
  const partAt = (step: number): number => stats[6 * step + 4]! + (form.ofLogp ? sampled[step]! : 0);
  for (let s = 0; s < S; s++) {
    const rows = Array.from({ length: B }, (_, i) => s * B + i).filter((row) => plan[2 * row] !== 0);
    const share = (row: number): number => (form.mean ? 1 / plan[2 * row + 1]! : 1);
    const score = new Map<number, number>();
    for (const row of rows) {
      const parts = Array.from({ length: plan[2 * row + 1]! }, (_, t) => partAt(row * T + t));
      score.set(row, share(row) * parts.reduce((x, y) => x + y, 0));
    }
    const pairs = [...new Set(rows.map((row) => taskIndex[row]!))].flatMap((task) => {
      const all = rows.flatMap((i) =>
        rows.filter((j) => j > i && [i, j].every((row) => taskIndex[row] === task)).map((j) => [i, j] as const),
      );
      const decided = all.filter(([i, j]) => outcome[i] !== outcome[j]);
      if (decided.length <= form.maxPairs) return decided;
      return Array.from(
        { length: form.maxPairs },
        (_, k) => decided[Math.floor((k * decided.length) / form.maxPairs)]!,
      );
    });
    const weightOf = ([i, j]: readonly [number, number]): number =>
      1 + (form.byGap ? Math.abs(outcome[i]! - outcome[j]!) : 0);
    const total = pairs.reduce((sum, pair) => sum + weightOf(pair), 0);
    const slope = new Map(rows.map((row) => [row, 0]));
    for (const pair of pairs) {
      const [winner, loser] = [...pair].sort((i, j) => outcome[j]! - outcome[i]!) as [number, number];
      const x = form.scale * (score.get(winner)! - form.lambda * score.get(loser)!);
      const pull = form.apart === null ? 1 / (1 + Math.exp(x)) : 2 * (form.apart - x);
      const weight = (weightOf(pair) / total) * form.scale;
      slope.set(winner, slope.get(winner)! - weight * pull);
      slope.set(loser, slope.get(loser)! + weight * form.lambda * pull);
    }
    for (const row of rows)
      credit.fill(
        rows.length * slope.get(row)! * share(row),
        marksAt + row * T,
        marksAt + row * T + plan[2 * row + 1]!,
      );
  }
  return credit;
}

const dpo: Form = { maxPairs: 64, scale: 0.1, lambda: 1, apart: null, byGap: false, mean: false, ofLogp: false };

/** Rows of a task in blocks, or anywhere (block = B); `levels`: so many different returns. */
const shapes: readonly (readonly [S: number, B: number, T: number, block: number, levels: number, form: Form])[] = [
  // no pair
  [1, 1, 1, 1, 2, dpo],
  [2, 12, 5, 4, 1, dpo],
  [2, 12, 5, 4, 2, dpo],
  [1, 67, 9, 67, 5, { ...dpo, byGap: true, scale: 0.7 }],
  [2, 30, 7, 10, 9, { ...dpo, maxPairs: 7, lambda: 0.5, ofLogp: true, mean: true }],
  // more rows than invocations, and tasks without a row that is looked at
  [2, 301, 3, 7, 3, { ...dpo, maxPairs: 5, apart: 2.5, scale: 1 }],
  [1, 300, 2, 100, 50, { ...dpo, maxPairs: 64, byGap: true, ofLogp: true, lambda: 0.75 }],
];

export const cases: readonly Case[] = shapes.map(([S, B, T, block, levels, form], k): Case => {
  const N = S * B * T;
  const sizes = { S, B, T, marksAt: 2 * (N + 3) };
  const lengths = wholes(k, S * B, T).map((n) => n + 1);
  const tasks = wholes(9 * k + 1, S * B, 5);
  const returns = wholes(9 * k + 2, S * B, levels);
  const buffers: Given = {
    // whole tasks of every fifth block are in another minibatch, and where rows lie anywhere every fifth of them
    plan: Float32Array.from({ length: 2 * S * B }, (_, at) => {
      const i = (at >> 1) % B;
      return at % 2 === 1 ? lengths[at >> 1]! : Number((block === B ? i : Math.floor(i / block)) % 5 !== 3);
    }),
    stats: numbers(9 * k + 3, 6 * N, -1, 1),
    sampled: Float32Array.of(...numbers(9 * k + 4, N, -3, 0), ...untouched(N)),
    outcome: Float32Array.from(returns, (r) => r / 4),
    taskIndex: tasks.map((task, row) => (block === B ? task : Math.floor((row % B) / block))),
    scores: untouched(3 * S * B),
    credit: Float32Array.of(...numbers(9 * k + 5, sizes.marksAt, -2, 2), ...untouched(N + 3)),
  };
  const { apart, byGap, mean, ofLogp, ...rest } = form;
  return {
    name: `pairMarks ${S}×${B}×${T} in blocks of ${block}, ${levels} returns`,
    kernel,
    dims: {
      ...{ B, T, block, marksAt: sizes.marksAt, ...rest, apart: apart ?? 0, squared: Number(apart !== null) },
      ...{ byGap: Number(byGap), mean: Number(mean), ofLogp: Number(ofLogp), empty: EMPTY },
    },
    groups: [1, 1, S],
    buffers,
    expected: { credit: pairMarks(sizes, buffers, form) },
    // sums of up to 9 numbers below 4 and of up to 300 slopes below 1, each with a few roundings
    tolerance: { abs: 2e-5, rel: 1e-5 },
  };
});
