import type { Run } from '../engine/run.ts';
import type { Snapshots } from '../lab/snapshot.ts';
import type { FramePort } from './frames.ts';
import type { Health } from './health.ts';
import type { History } from './history.ts';
import type { Clock } from './pace.ts';
import type { Choice, RunState } from './protocol.ts';
import { LOST, unlessLost } from './troubles.ts';

/** What a page may see of a worker. */
export type Shown = {
  readonly run: Run | null;
  readonly runId: number;
  readonly state: RunState;
  readonly history: History;
  readonly health: Health;
  readonly snapshots: Snapshots;
  readonly clock: Clock;
  readonly id: string;
  readonly choice: Choice | null;
};

/** Sends a frame if one is due or `final`, with a snapshot if the page is ready for one. */
export async function showRun(frames: FramePort, shown: Shown, final: boolean): Promise<void> {
  const { run, state } = shown;
  const now = performance.now();
  if (!final && !frames.frameDue(now)) return;
  const status = {
    run: shown.runId,
    id: shown.id,
    state,
    backend: run?.backend.kind ?? ('cpu' as const),
    trainedOn: run?.trainedOn ?? ('cpu' as const),
    stretches: run?.stretches.list ?? [],
    choice: run && shown.choice,
    backendName: run?.backend.description ?? '',
    timeline: () => (run ? shown.history.news() : []),
    alarms: () => (run ? shown.health.news() : []),
    problem: final ? frames.takeProblem() : null,
  };
  const wanted = run !== null && !run.isFresh && run.series.length > 0 && (final || frames.snapshotDue(now));
  // without its device a run has no batch to show; the training loop notices the loss and continues
  const made = wanted ? await unlessLost(run!, shown.snapshots.make(run!, frames.replicaOf(run))) : null;
  if (wanted) frames.made(performance.now() - now, performance.now());
  frames.send(status, run, shown.clock, made === LOST ? null : made, now, final);
}
