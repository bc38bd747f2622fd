import type { Problem } from '../../core/problem.ts';
import { KernelRejected, LimitExceeded, WorkRefused } from '../../gpu/refused.ts';

/** A run does not fit into the memory of the device; found while its buffers are made, never guessed afterwards. */
export class OutOfGpuMemory extends Error {
  readonly bytes: number;
  readonly largest: string;
  constructor(bytes: number, largest: string) {
    super('The device has not enough memory for this run.');
    this.bytes = bytes;
    this.largest = largest;
  }
}

/** There is no other way left to train this here; `problem` says why not. */
export class NoWayLeft extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.kind);
    this.problem = problem;
  }
}

/** True where kernels of a simpler form may do: they need the same memory, but other code and other workgroups. */
export const isOfForm = (error: unknown): error is Error =>
  error instanceof KernelRejected || error instanceof WorkRefused || error instanceof LimitExceeded;

/** What the device would not do, as a Problem; null for anything else. */
export function gpuProblem(error: unknown): Problem | null {
  if (error instanceof NoWayLeft) return error.problem;
  if (error instanceof KernelRejected) return { kind: 'kernelRejected', kernel: error.kernel, message: error.message };
  if (error instanceof OutOfGpuMemory) return { kind: 'outOfMemory', bytes: error.bytes, largest: error.largest };
  if (error instanceof WorkRefused) return { kind: 'workRefused', message: error.message };
  if (!(error instanceof LimitExceeded)) return null;
  const { what, needed, available } = error;
  return {
    kind: 'limitTooSmall',
    what,
    needed,
    available,
    field: 'tasks per batch, group size, seeds or the step limit',
  };
}
