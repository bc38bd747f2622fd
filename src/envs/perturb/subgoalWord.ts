/** What the next step decides. */
export const PHASE = { act: 0, keep: 1, choose: 2, plan: 3 } as const;
export const PHASES = 4;
/** Own actions behind those of the world: keep or new; with a plan done, and the end of the plan; then the subgoals. */
export const OWN = { keep: 0, done: 0, fresh: 1, end: 1, first: 2 } as const;

// First word of a state: phase | subgoal + 1, 0 for none, << 3 | entry followed << 8 | entries planned << 12 | steps of the
// world at the entry << 16; where subgoals are given, 1: the last step reached the one before.
export const phaseIn = (word: number): number => word & 7;
export const goalIn = (word: number): number => ((word >>> 3) & 31) - 1;
export const entryIn = (word: number): number => (word >>> 8) & 15;
export const countIn = (word: number): number => (word >>> 12) & 15;
export const stepsIn = (word: number): number => word >>> 16;
export const control = (phase: number, goal: number, entry = 0, count = 0): number =>
  phase | ((goal + 1) << 3) | (entry << 8) | (count << 12);

/** Entry k of a plan in its word. */
export const BITS = 5;
export const plannedIn = (plan: number, k: number): number => ((plan >>> (BITS * k)) & 31) - 1;
