import { compare, rowOf, type Candidate, type Effort } from '../stats.ts';
import type { Bench, Options, Row } from '../types.ts';

/** How long a row may be measured. */
export const effortOf = ({ quick }: Options): Effort =>
  quick ? { rounds: 5, blockMs: 40, budgetMs: 1500 } : { rounds: 15, blockMs: 150, budgetMs: 20_000 };

/** Does `--only` let this row through? */
export const wanted = ({ options: { only } }: Bench, name: string, shape: string): boolean =>
  only === null || `${name} ${shape}`.toLowerCase().includes(only.toLowerCase());

export type Work = {
  readonly name: string;
  readonly shape: string;
  readonly candidates: readonly Candidate[];
  /** how far a result is off, and the most that still counts as right */
  readonly error: (result: Float32Array) => number;
  readonly tolerance: number;
  /** other numbers of the row, from its time in milliseconds */
  readonly numbers?: (oursMs: number) => Readonly<Record<string, number>>;
  /** what is only known afterwards */
  readonly note?: () => string;
};

/** Checks, races and puts down one row. Trouble with ours is a failed row, and the next one goes on. */
export async function measure(bench: Bench, work: Work): Promise<Row | null> {
  const { name, shape, candidates, error, tolerance, numbers, note } = work;
  if (!wanted(bench, name, shape)) return null;
  try {
    const found = await compare(candidates, error, tolerance, effortOf(bench.options));
    const text = [note?.() ?? '', found.note].filter(Boolean).join('; ');
    const row = rowOf(name, shape, found.timings, {}, text);
    const full = numbers ? { ...row, numbers: numbers(row.oursMs) } : row;
    bench.row(full);
    return full;
  } catch (cause) {
    bench.failed(`${name}, ${shape}: ${cause instanceof Error ? cause.message : String(cause)}`);
    return null;
  }
}
