import type { SavedState } from './tasks.ts';

/** States of the rows of one replica, [B, T + 1, words], and the steps that each row has. */
export type RowsOfStates = {
  readonly T: number;
  readonly words: number;
  readonly state: Uint32Array;
  readonly length: ArrayLike<number>;
};

/**
 * A state that one of some rows passed: a row, each as likely, then one of its steps after the first, each as likely. So an
 * episode can go on from it. `u`: two numbers in [0, 1). Writes its words to `out` from `at`; nothing where the row ended
 * with its first step, or there is none.
 */
export function writePassed(
  { T, words, state, length }: RowsOfStates,
  rows: readonly number[],
  u: readonly [number, number],
  out: Uint32Array,
  at: number,
): void {
  if (rows.length === 0) return;
  const row = rows[Math.floor(u[0] * rows.length)]!;
  const between = length[row]! - 1;
  if (between < 1) return;
  const t = 1 + Math.floor(u[1] * between);
  const from = (row * (T + 1) + t) * words;
  out.set(state.subarray(from, from + words), at);
}

/** State p of [P, words]; null where none was written: whoever took a step has a clock above 0. */
export function stateIn(states: Uint32Array, p: number, words: number): SavedState | null {
  const state = Array.from(states.subarray(p * words, (p + 1) * words));
  return state.at(-1) === 0 ? null : state;
}
