import type { Problem } from '../core/problem.ts';
import { KernelRejected, OutOfGpuMemory } from '../train/gpu/errors.ts';
import type { Run } from '../train/run.ts';

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

/** What went wrong while kernels were compiled or buffers made; null for anything else. */
export function gpuProblem(error: unknown): Problem | null {
  if (error instanceof KernelRejected) return { kind: 'kernelRejected', kernel: error.kernel, message: error.message };
  if (error instanceof OutOfGpuMemory) return { kind: 'outOfMemory', bytes: error.bytes, largest: error.largest };
  return null;
}
