import { FLAG, type StepResult } from '../types.ts';

/** The last word of a state, by which a wrapper ends episodes itself: steps so far, and above them how it ended. */

/** True for the clock of a state that is over: it stays as it is, and the result says how it ended. */
export function isOver(clock: number, result: StepResult): boolean {
  if (clock >>> 16 === 0) return false;
  result.reward = 0;
  result.flags = clock >>> 16;
  return true;
}

/** The clock after step t in which the world itself did not end anything: the step limit may. */
export function goOn(t: number, limit: number, result: StepResult): number {
  result.flags = (result.flags & ~15) | (t + 1 >= limit ? FLAG.truncated : 0);
  return (t + 1) | ((result.flags & 15) << 16);
}
