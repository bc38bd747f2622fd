import { compare, rowOf, type Candidate, type Effort } from '../stats.ts';
import type { Bench, Row } from '../types.ts';

/** How long a row may be measured. */
export const effortOf = ({ options: { quick }, until }: Bench): Effort =>
  quick ? { rounds: 5, blockMs: 40, budgetMs: 1000, until } : { rounds: 11, blockMs: 100, budgetMs: 6000, until };

/** Does `--only` let this row through, and is there time for it? */
export function wanted({ options: { only }, until, skipped }: Bench, name: string, shape: string): boolean {
  if (only !== null && !`${name} ${shape}`.toLowerCase().includes(only.toLowerCase())) return false;
  if (performance.now() < until) return true;
  skipped(`${name}, ${shape}`);
  return false;
}

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
    const found = await compare(candidates, error, tolerance, effortOf(bench));
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

export const ONE_THREAD = ', one thread';

/** Name of a CPU row: with threads everyone may use all cores. */
export const cpuName = ({ options }: Bench, name: string): string => `${name} cpu${options.threads ? '' : ONE_THREAD}`;

/** Is this backend asked for? The pass without threads repeats the CPU rows only. */
export const asked = ({ options: { backend, threads }, gpu }: Bench, kind: 'webgpu' | 'cpu'): boolean =>
  (backend === 'both' || backend === kind) && (kind === 'cpu' || (gpu !== null && threads));

/** GFLOP/s of ours, GB/s where the bytes that must move are known, and on WebGPU the share of the measured ceilings. */
export function rates(bench: Bench, name: string, ms: number, flops: number, bytes = 0): Record<string, number> {
  const numbers: Record<string, number> = { 'GFLOP/s': flops / ms / 1e6 };
  if (bytes > 0) numbers['GB/s'] = bytes / ms / 1e6;
  const { ceilings } = bench;
  if (!name.endsWith('webgpu')) return numbers;
  if (ceilings.flops > 0) numbers['of the multiply-add ceiling, %'] = (100 * numbers['GFLOP/s']!) / ceilings.flops;
  if (ceilings.bytes > 0 && bytes > 0) numbers['of the copy ceiling, %'] = (100 * numbers['GB/s']!) / ceilings.bytes;
  return numbers;
}
