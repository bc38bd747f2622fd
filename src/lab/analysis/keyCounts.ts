import { enumerate } from '../../envs/enumerate.ts';
import { keyed, KEY_MODES, type KeyMode } from '../../envs/perturb/keyed.ts';
import type { Environment } from '../../envs/types.ts';
import { MOST_STATES } from '../../envs/facts.ts';

/** How many different states a level has by each kind of key; a kind that the level refuses is left out. */
export type KeyCounts = readonly { readonly mode: KeyMode; readonly states: number }[];

/** Counts for a world without wrappers; null where its states cannot be listed. `make`: the level in a world with these keys. */
export function keyCounts(env: Environment, make: (env: Environment) => unknown): KeyCounts | null {
  const all = enumerate(env, make(env), MOST_STATES);
  if (!all) return null;
  const key = new Uint32Array(2);
  return KEY_MODES.flatMap((mode) => {
    const world = keyed(env, { stateKeys: mode });
    const level = make(world);
    if (level === null) return [];
    const keys = new Set<string>();
    for (let s = 0; s < all.model.states; s++) {
      world.key(level, all.states, s * env.words, key, 0);
      keys.add(`${key[0]},${key[1]}`);
    }
    return [{ mode, states: keys.size }];
  });
}
