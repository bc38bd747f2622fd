import { below, PURPOSE, random } from '../../core/random.ts';

/** Slot of the draw among those of a step; 0 … 8 belong to the worlds. */
const SLOT = 16;

/** Noise of the reward of step t in thousandths: uniform over −s … s, mean 0. */
export function noiseOf(s: number, episodeSeed: number, t: number): number {
  return s === 0 ? 0 : below(random(episodeSeed, PURPOSE.step, t, SLOT, 0), 2 * s + 1) - s;
}

/**
 * Pays the rewards of an episode of `length` steps late, in place:
 *
 *   r[t] ← r[t − d] for t < length − 1, 0 where there is none     r[length − 1] ← all that is still due
 *
 * The sum stays what it was.
 */
export function payLate(reward: Int32Array, at: number, length: number, d: number): void {
  if (d === 0 || length === 0) return;
  const last = at + length - 1;
  let due = 0;
  for (let k = Math.max(at, last - d); k <= last; k++) due += reward[k]!;
  for (let k = last - 1; k >= at; k--) reward[k] = k - d >= at ? reward[k - d]! : 0;
  reward[last] = due;
}
