import type { Snapshot } from '../../worker/protocol.ts';
import type { World } from './world.ts';

type Seen = Pick<Snapshot, 'state' | 'T' | 'words' | 'length'>;

const atOf = ({ T, words }: Seen, i: number, t: number): number => (i * (T + 1) + t) * words;

/** Steps that the agent of episode i was told to need at most; null where it was told nothing. */
export const budgetOf = ({ env, level }: World, seen: Seen, i: number): number | null =>
  env.deal?.budget?.(level, seen.state, atOf(seen, i, 0)) ?? null;

/** What the hint of episode i tells before step t; null where it has none. */
export const hintIn = ({ env, level }: World, seen: Seen, i: number, t: number): string | null =>
  env.deal?.help?.told(level, seen.state, atOf(seen, i, t)) ?? null;

/** What is recalled at step t of episode i; null where there is no room for it. */
export function recalledIn({ env, level }: World, seen: Seen, i: number, t: number): string | null {
  if (!env.recalls) return null;
  const known = env.recalls.told(level, seen.state, atOf(seen, i, t));
  return known === null ? 'The library knows nothing of this state.' : `The library knows this state: ${known}.`;
}

/** Step t of an episode against its budget, in words. */
export function budgetWords(t: number, budget: number): string {
  const over = t + 1 - budget;
  const rest = over > 0 ? `${over} over it` : over === 0 ? 'the last one within it' : `${-over} left`;
  return `Step ${t + 1} of a budget of ${budget}: ${rest}`;
}

/** What the teacher tells before each step of episode i; empty where it tells nothing. */
export const toldIn = ({ env }: World, seen: Seen, i: number): string[] =>
  Array.from({ length: seen.length[i]! }, (_, t) => env.teaches!.told(seen.state, atOf(seen, i, t)));

/** The different ones, in their order. */
export const lanesOf = (told: readonly string[]): string[] => [...new Set(told)].filter((words) => words !== '');

export const toldSentence = (told: readonly string[], t: number): string =>
  `Step ${t + 1}: ${told[t] ? `the teacher says “${told[t]}”` : 'nobody tells it what to do'}`;
