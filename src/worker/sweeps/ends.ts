import { recordsOf } from '../../lab/runs/soFar.ts';
import type { RunCurves, RunRecord } from '../../lab/runs/record.ts';
import type { CellResult } from '../../lab/sweep/cell.ts';
import { suffixOf } from '../../lab/sweep/limit.ts';
import type { Series } from '../../engine/series.ts';

/**
 * How a run of a sweep ended. `unkept`: it trained, but its result could not be kept; `deleted`: nobody wants it any more;
 * `lost`: the graphics device that trained it is gone, and it waits again.
 */
export type CellEnd =
  | { readonly kind: 'finished'; readonly score: number; readonly seconds: number }
  | { readonly kind: 'failed' | 'unkept' | 'lost'; readonly problem: string }
  | { readonly kind: 'deleted' };

/** Keeps the newer state of runs; resolves with the ids of those that are still wanted. */
export type KeepRuns = (runs: readonly RunRecord[], curves: readonly RunCurves[]) => Promise<string[]>;

/** A cell that has been trained: what it leaves behind, and every number of every update. */
export type Done = { readonly result: CellResult; readonly series: Series; readonly seconds: number };

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** `end` if a run could be kept, else how it ends instead. */
export async function kept<E extends CellEnd | null>(
  keep: KeepRuns,
  run: RunRecord,
  curves: readonly RunCurves[],
  end: E,
): Promise<E | CellEnd> {
  try {
    return (await keep([run], curves)).length > 0 ? end : { kind: 'deleted' };
  } catch (error) {
    return { kind: 'unkept', problem: sentenceOf(error) };
  }
}

/** A run as it trains. */
export const begunRun = (run: RunRecord): RunRecord => ({
  ...run,
  state: 'running',
  startedAt: run.state === 'running' ? run.startedAt : Date.now(),
});

/** Keeps that a run has failed. */
export function keepFailed(keep: KeepRuns, run: RunRecord, problem: string): Promise<CellEnd> {
  const failed: RunRecord = { ...run, state: 'failed', problem, changedAt: Date.now() };
  return kept(keep, failed, [], { kind: 'failed', problem });
}

/** Keeps a run that has been trained, with its curves. */
export async function keepDone(keep: KeepRuns, run: RunRecord, { result, series, seconds }: Done): Promise<CellEnd> {
  const { id, batch, config, startedAt, address, limit, backend } = run;
  const { records, curves } = await recordsOf({
    ...{ ids: [id], batch, origin: 'sweep', config, state: 'finished', problem: null, chain: [] },
    ...{ part: series.part(0, series.length), seconds, backend, startedAt },
  });
  const [record] = records;
  const finished: RunRecord = {
    ...record!,
    ...{ digest: result.digest, address, group: `${record!.group}${suffixOf(limit ?? null)}` },
    // what is ended by steps or seconds has had as many updates as it was to have
    ...(limit ? { limit, updates: result.updates } : {}),
    ...(result.diverged === undefined ? {} : fallen(record!, result)),
  };
  return kept(keep, finished, curves, { kind: 'finished', score: result.score, seconds });
}

/** A run that diverged, as it counts: in the words of its result. */
const fallen = (
  { evaluations }: RunRecord,
  { diverged, score, updates, evaluations: { steps, success } }: CellResult,
): Partial<RunRecord> => ({
  ...{ diverged, score },
  evaluations: { updates: [...evaluations.updates, updates], steps, success },
});
