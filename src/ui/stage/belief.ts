import type { Snapshot } from '../../worker/protocol.ts';
import { percent } from '../format.ts';
import type { World } from './world.ts';

/** p of the true answer before each step of an episode and after the last; empty where the world asks nothing. */
export function beliefOf(
  { answerProb, T, length }: Pick<Snapshot, 'answerProb' | 'T' | 'length'>,
  i: number,
): Float32Array {
  return answerProb.subarray(i * (T + 1), i * (T + 1) + length[i]! + 1);
}

/** A step that makes the true answer more likely by at least this lights up. */
const GAIN = 0.05;

/** True if something was learned in step t; the last one ends the episode or is cut, and tells nothing. */
export const learnsAt = (p: ArrayLike<number>, t: number): boolean => t < p.length - 2 && p[t + 1]! - p[t]! >= GAIN;

/** Probability of the true answer by what was found out before each step: that of a mind that forgets nothing. */
export function knownOf({ env }: World, { state, T, words, length }: Snapshot, i: number): Float32Array {
  return Float32Array.from(
    { length: length[i]! },
    (_, t) => 1 / (env.asks?.left(state, (i * (T + 1) + t) * words) ?? 1),
  );
}

/** What the policy believed before step t, what could be known, and what the step changed. */
export function beliefWords(p: ArrayLike<number>, known: ArrayLike<number>, t: number): string {
  const now = `Step ${t + 1}: the true answer has ${percent(p[t]!)}, by the signs ${percent(known[t]!)}`;
  return t < p.length - 2 ? `${now}; ${percent(p[t + 1]!)} after the step` : now;
}
