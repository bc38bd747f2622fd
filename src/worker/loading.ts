import type { Problem } from '../core/problem.ts';
import { gpuProblem } from '../engine/gpu/errors.ts';
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
    const run = await Run.create(plan, made.value, undefined, new Series(plan.S, await spilling.of(plan)), turn);
    const start = await run.checkpoint();
    if (isWanted()) return { ok: true, run, start };
    run.dispose();
    return GIVEN_UP;
  } catch (error) {
    if (error instanceof GivenUp) return GIVEN_UP;
    const problem = gpuProblem(error);
    if (!problem) throw error;
    return { ok: false, problem };
  }
}
