import type { LogBatch } from './batch.ts';
import type { StepTable } from './table.ts';

/** Credit of every real step by an estimator. */
export type Named = { readonly id: string; readonly title: string; readonly A: Float32Array };

/** Episodes of some tasks, laid out as a strip is drawn from them: [B, T] with room after short episodes. */
export type LogWindow = {
  readonly B: number;
  readonly T: number;
  readonly length: Uint32Array;
  /** [B] task of the batch, and row of the batch that each row here is */
  readonly taskIndex: Uint32Array;
  readonly row: Uint32Array;
  readonly success: Uint32Array;
  readonly outcome: Float32Array;
  readonly episodes: readonly string[];
  /** names of the tasks in the window, by task of the batch */
  readonly tasks: readonly (readonly [task: number, name: string])[];
  readonly columns: readonly {
    readonly id: string;
    readonly title: string;
    readonly values: Float32Array;
    readonly limit: number;
  }[];
  /** what is not drawn, in a sentence; null where all is */
  readonly cut: string | null;
};

/** Episodes and steps of each that are drawn: more would be thinner than a pixel. */
export const MOST_ROWS = 64;
export const MOST_COLUMNS = 400;

/** The episodes of tasks with the credit of estimators. Limits of color are of the whole log. */
export function windowOf(
  table: StepTable,
  log: LogBatch,
  tasks: readonly number[],
  columns: readonly Named[],
): LogWindow {
  const { batch, start, episode } = log;
  const wanted = new Set(tasks);
  const all = Uint32Array.from({ length: batch.B }, (_, i) => i).filter((i) => wanted.has(batch.taskIndex[i]!));
  const row = all.slice(0, MOST_ROWS);
  const whole = row.reduce((size, i) => Math.max(size, batch.length[i]!), 1);
  const T = Math.min(MOST_COLUMNS, whole);
  const length = row.map((i) => Math.min(T, batch.length[i]!));
  const cut = [
    ...(row.length < all.length ? [`the first ${row.length} of ${all.length} episodes`] : []),
    ...(T < whole ? [`the first ${T} steps of an episode`] : []),
  ];
  return {
    ...{ B: row.length, T, length, row, taskIndex: row.map((i) => batch.taskIndex[i]!) },
    success: row.map((i) => batch.success[i]!),
    outcome: Float32Array.from(row, (i) => batch.outcome[i]!),
    episodes: Array.from(row, (i) => table.episodeNames[episode[i]!]!),
    tasks: tasks.map((g) => [g, table.taskNames[log.task[g]!]!] as const),
    columns: columns.map(({ id, title, A }) => {
      const values = new Float32Array(row.length * T);
      row.forEach((i, k) => values.set(A.subarray(start[i]!, start[i]! + length[k]!), k * T));
      return { id, title, values, limit: limitOf(A) };
    }),
    cut: cut.length > 0 ? `Drawn are ${cut.join(' and ')}.` : null,
  };
}

/** Values that a limit is taken from, at most. */
const SAMPLED = 100_000;

/** The 98th percentile of |A|, the largest where that is 0, and 1 where nothing differs from 0. */
function limitOf(A: Float32Array): number {
  const by = Math.max(1, Math.floor(A.length / SAMPLED));
  const sizes = Float32Array.from({ length: Math.ceil(A.length / by) }, (_, k) => Math.abs(A[k * by]!)).sort();
  return sizes[Math.min(sizes.length - 1, Math.floor(0.98 * sizes.length))]! || sizes.at(-1)! || 1;
}
