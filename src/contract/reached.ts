/** Checkpoints of a level that are told apart in an outcome: the first ones, and success, which is the last of all. */
export const MOST_CHECKPOINTS = 16;
/** Numbers of a task: how many checkpoints its level has, of these, then how many episodes passed each. */
export const REACHED = 1 + MOST_CHECKPOINTS;

/** From how many of the `n` checkpoints of a level each episode passed. */
export function writeReached(passed: readonly number[], n: number, out: Uint32Array, at: number): void {
  const kept = Math.min(n, MOST_CHECKPOINTS);
  out[at] = kept;
  for (let k = 0; k < kept; k++) {
    const needed = k === kept - 1 ? n : k + 1;
    out[at + 1 + k] = passed.filter((count) => count >= needed).length;
  }
}

/** Episodes of task p that passed each checkpoint of its level, success last. */
export const reachedIn = (all: Uint32Array, p: number): readonly number[] =>
  Array.from(all.subarray(p * REACHED + 1, p * REACHED + 1 + all[p * REACHED]!));
