import type { Tensors } from '../../../contract/state.ts';
import type { MemoryContext, Replay, Reread } from '../memory/types.ts';
import { replayOf, storedIn, type Stored } from './episodeStore.ts';

/** Draws of one turn, so that no two turns of an update share one. */
export const TURN = 2 ** 24;

/** An episode that was read again, and its place in the store. */
export type Read = Reread & { readonly stored: Stored };

/** Stored episodes in proportion to their steps, so that all steps are drawn alike, read with the policy of now. */
export function readAgain(memory: Tensors, context: MemoryContext, rows: number, turn: number): readonly Read[] {
  const stored = storedIn(memory);
  if (stored.length === 0) return [];
  const steps = stored.reduce((sum, { length }) => sum + length, 0);
  const of = new Map<Replay, Stored>();
  for (let k = 0; k < rows; k++) {
    let left = context.draw(turn * TURN + k) * steps;
    const one = stored.find(({ length }) => (left -= length) < 0) ?? stored.at(-1)!;
    of.set(replayOf(memory, one, 0, context), one);
  }
  return context.reread([...of.keys()]).map((read) => ({ ...read, stored: of.get(read.replay)! }));
}
