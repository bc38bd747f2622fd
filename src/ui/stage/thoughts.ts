import { splitName, TAGS } from '../../contract/tags.ts';
import type { Snapshot } from '../../worker/protocol.ts';
import type { World } from './world.ts';

/** What a step was for, as it was written before its action, and whether the world refused the action. */
export type Thought = { readonly tag: number; readonly isRefused: boolean };

/** Lanes of the timeline, from above. */
export const LANES = [...TAGS.slice(1), 'refused'] as const;

/** Lane of a step; −1 where it has none. A refused step loses its tag. */
export const laneOf = ({ tag, isRefused }: Thought): number => (isRefused ? LANES.length - 1 : tag - 1);

/** The thought of each step of an episode of a batch. */
export function thoughtsOf({ env, level }: World, snapshot: Snapshot, i: number): Thought[] {
  const { T, words, state, action, actions } = snapshot;
  return Array.from({ length: snapshot.length[i]! }, (_, t) => ({
    tag: splitName(actions[action[i * T + t]!] ?? '').tag,
    isRefused: env.scene(level, state, (i * (T + 1) + t + 1) * words).thought?.isRefused ?? false,
  }));
}

/** A thought in words. */
export function thoughtWords(t: number, { tag, isRefused }: Thought): string {
  const thought = tag === 0 ? 'no thought' : TAGS[tag]!;
  return `Step ${t + 1}: ${thought}${isRefused ? `, refused${tag === 0 ? '' : ', so the tag is lost'}` : ''}`;
}
