import type { Problem } from '../core/problem.ts';
import type { TrainedOn } from '../core/trainedOn.ts';
import type { Checkpoint, Run } from '../engine/run.ts';
import type { History } from './history.ts';
import { joinAll, type StoredPast } from './inherited.ts';
import type { Origin } from './keeping.ts';
import type { HeldPart, RunState } from './protocol.ts';

/** A state that another worker kept of a run before it went, with the curves until there, and what it is kept as. */
export type Heritage = {
  readonly checkpoint: Checkpoint;
  readonly curves: readonly HeldPart[];
  readonly stored?: StoredPast;
  readonly origin: Origin;
  readonly trainedOn: TrainedOn;
};

/** A run that has just been made continues where another worker left it, with its past: at the checkpoint that comes back. */
export async function inherit(
  run: Run,
  history: History,
  { checkpoint, curves, stored, origin, trainedOn }: Heritage,
  tell: (problem: Problem) => void,
): Promise<Checkpoint> {
  if (!(await joinAll(run.series, curves, stored))) tell({ kind: 'curvesUnread' });
  run.stretches.note(0, trainedOn);
  await run.restore(checkpoint);
  if (origin.id && typeof indexedDB !== 'undefined') await recall(origin.id, run, history, tell);
  history.take(run, checkpoint);
  return checkpoint;
}

/** The marks of its timeline come back; a run without them continues all the same. */
async function recall(id: string, run: Run, history: History, tell: (problem: Problem) => void): Promise<void> {
  try {
    const { recallMarks } = await import('./markKeeper.ts');
    const { points, damaged } = await recallMarks(id, run);
    history.recall(points, run.series);
    if (damaged > 0) tell({ kind: 'marksDamaged', count: damaged });
  } catch {
    tell({ kind: 'marksDamaged', count: null });
  }
}

/** How a run is called that waits. */
export function waitingState(run: Run): RunState {
  if (run.update >= run.updates) return 'finished';
  return run.update === 0 ? 'ready' : 'paused';
}
