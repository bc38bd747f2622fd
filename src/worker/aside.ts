import type { Problem } from '../core/problem.ts';
import { gpuProblem } from '../engine/gpu/errors.ts';
import type { Checkpoint, Run } from '../engine/run.ts';
import type { Snapshots } from '../lab/snapshot.ts';
import type { Devices } from './devices.ts';
import type { Health } from './health.ts';
import type { History } from './history.ts';
import type { Keeping } from './keeping.ts';
import type { RunState } from './protocol.ts';

/** A run with its newest state, its past, and what was said about it. */
export type Whole = {
  readonly id: number;
  readonly run: Run;
  readonly saved: Checkpoint;
  readonly state: RunState;
  readonly history: History;
  readonly snapshots: Snapshots;
  readonly health: Health;
  readonly keeping: Keeping;
};

/** The last run that another one has replaced: whole, but without its arrays on the device. */
export class Aside {
  private kept: Whole | null = null;

  /** A run makes room. One that has trained is kept, in place of an older one. */
  keep(whole: Omit<Whole, 'saved'> & { readonly saved: Checkpoint | null }): void {
    const { run, saved } = whole;
    run.dispose();
    if (saved && run.series.length > 0) this.kept = { ...whole, saved };
  }

  /** The run of this number; null where it is not here any more. */
  of(id: number): Whole | null {
    return this.kept?.id === id ? this.kept : null;
  }
}

/** Puts a run back on a device, from its newest state; why not, or null. */
export async function awaken({ run, saved, history, health }: Whole, devices: Devices): Promise<Problem | null> {
  devices.prefer(run.backend.kind);
  history.tellAgain();
  health.tellAgain();
  return onDevice(run, saved, devices);
}

/** Puts a run on a device from its own state; why that cannot be, or null. */
export async function onDevice(run: Run, from: Checkpoint, devices: Devices): Promise<Problem | null> {
  const made = await devices.make(run.plan);
  if (!made.ok) return made.problem;
  try {
    await run.restore(from, made.value);
    return null;
  } catch (error) {
    const problem = gpuProblem(error);
    if (!problem) throw error;
    return problem;
  }
}
