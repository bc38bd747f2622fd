import { type TrainState, replicasOf } from '../contract/state.ts';
import { configWith } from '../config/schema.ts';
import { makeCpuBackend } from '../engine/cpu/cpuBackend.ts';
import type { Plan } from '../engine/plan.ts';
import { Run, type Checkpoint } from '../engine/run.ts';
import type { Snapshots } from './snapshot.ts';
import type { Snapshot } from './snapshotTypes.ts';
import { tasksAt } from '../engine/taskFeed.ts';

/** One replica of a run as it enters the update after a state, for a scratch copy of that replica alone. */
export function aloneAt(run: Run, from: TrainState, replica: number): { plan: Plan; state: TrainState } {
  const { plan, state } = run.startOf({ state: from, chain: [] });
  const alone = {
    ...plan,
    config: configWith({ 'run.seeds': 1, 'run.seed': plan.seeds[replica]! }, plan.config),
    past: [],
    S: 1,
    seeds: plan.seeds.slice(replica, replica + 1),
  };
  return { plan: alone, state: replicasOf(state, plan.S, replica, 1) };
}

/**
 * What update u of one replica looked like: its batch and credit, played again from the state before it on a scratch
 * copy. The draws depend on seed and update only, so on the CPU these are the bits of the run itself; a run on a GPU
 * agrees with it within the tolerance between devices. The run does not move.
 */
export async function replayUpdate(run: Run, from: Checkpoint, replica: number, to: Snapshots): Promise<Snapshot> {
  const { plan, state } = aloneAt(run, from.state, replica);
  const scratch = await Run.create(plan, makeCpuBackend, { state, chain: [] });
  await scratch.backend.rollout(tasksAt(plan, state), 'train');
  await scratch.backend.credit();
  const snapshot = await to.make(scratch, 0, replica);
  scratch.dispose();
  return snapshot;
}
