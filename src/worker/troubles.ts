import type { Problem } from '../core/problem.ts';
import { CHECKED_SLOTS, type UpdateRecord } from '../engine/backend.ts';
import { gpuProblem } from '../engine/gpu/errors.ts';
import type { Run } from '../engine/run.ts';
import type { Devices } from './devices.ts';
import type { LabWorker } from './protocol.ts';

export const LOST: unique symbol = Symbol('The graphics device was lost.');

/**
 * What the work gives, or LOST when it failed because the device went away: everything in flight is then rejected.
 * (No race with `backend.lost`: each race would hold its result for as long as the device lives.)
 */
export async function unlessLost<T>(run: Run, work: Promise<T>): Promise<T | typeof LOST> {
  try {
    return await work;
  } catch (error) {
    if (run.backend.kind === 'webgpu') return LOST;
    throw error;
  }
}

/** Why a run stopped. A device that refused its work is given up, which frees everything on it; the next run opens another. */
export function failureOf(error: unknown, devices: Devices): Problem {
  const problem = gpuProblem(error);
  if (problem) devices.lose();
  return problem ?? { kind: 'workerCrashed', message: error instanceof Error ? error.message : String(error) };
}

/** An update whose numbers were not all finite ends a run; null if they were. */
export function nonFiniteOf({ bad, update }: UpdateRecord): Problem | null {
  const slot = bad.find((at) => at !== 0);
  return slot === undefined ? null : { kind: 'nonFinite', slot: CHECKED_SLOTS[slot - 1]!, update, lastGood: update };
}

/** Test hook: makes a trouble happen. */
export function cause(fault: Parameters<LabWorker['inject']>[0], run: Run | null, devices: Devices): void {
  if (fault === 'loseDevice') devices.lose();
  else if (fault === 'refuseWork') devices.refuse();
  else if (fault === 'nonFinite') run?.poison();
  else
    setTimeout(() => {
      throw new Error('A crash was asked for by a test.');
    });
}
