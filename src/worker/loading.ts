import type { Problem } from '../core/problem.ts';
import { gpuProblem, NoWayLeft } from '../engine/gpu/errors.ts';
import type { Plan } from '../engine/plan.ts';
import { Run, type Checkpoint } from '../engine/run.ts';
import { Series } from '../engine/series.ts';
import type { Devices } from './devices.ts';
import type { Spilling } from './spilling.ts';

/** Nobody wants any more what was asked for: something newer was. */
export const GIVEN_UP = { ok: false, problem: null } as const;
class GivenUp extends Error {}

type Made =
  | { readonly ok: true; readonly run: Run; readonly start: Checkpoint }
  | { readonly ok: false; readonly problem: Problem | null };

export type Making = {
  readonly devices: Devices;
  readonly isWanted: () => boolean;
  /** lets others be answered */
  readonly nextTurn: () => Promise<void>;
  /** where its older curves go */
  readonly spilling: Spilling;
};

/** A copy of the start; null where the device failed before it could be read. */
async function startOf(run: Run, devices: Devices): Promise<Checkpoint | null> {
  try {
    return await run.checkpoint();
  } catch (error) {
    if (run.backend.kind === 'cpu') throw error;
    const problem = await devices.failed(error, { plan: run.plan, at: 0 });
    if (problem) throw new NoWayLeft(problem);
    return null;
  }
}

/**
 * Makes a run and the copy of its start. What takes long stops in between for whoever has to be answered (`nextTurn`),
 * and ends as soon as nobody wants it.
 */
export async function makeRun(plan: Plan, { devices, isWanted, nextTurn, spilling }: Making): Promise<Made> {
  const made = await devices.make(plan);
  if (!made.ok) return made;
  const turn = async (): Promise<void> => {
    await nextTurn();
    if (!isWanted()) throw new GivenUp();
  };
  try {
    await turn();
    for (;;) {
      const run = await Run.create(plan, made.value, undefined, new Series(plan.S, await spilling.of(plan)), turn);
      const start = await startOf(run, devices);
      if (start && isWanted()) return { ok: true, run, start };
      run.dispose();
      if (start) return GIVEN_UP;
    }
  } catch (error) {
    if (error instanceof GivenUp) return GIVEN_UP;
    const problem = gpuProblem(error);
    if (!problem) throw error;
    return { ok: false, problem };
  }
}
