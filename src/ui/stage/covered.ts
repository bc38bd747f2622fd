import { chosenOf } from '../../contract/module.ts';
import type { Config } from '../../config/slots.ts';
import { rewards } from '../../slots/registry.ts';
import type { Snapshot } from '../../worker/protocol.ts';
import type { World } from './world.ts';

/** Cells of the map that an episode has covered, and those of them that its last step added. */
export type Covered = { readonly all: readonly number[]; readonly fresh: readonly number[] };

/** How far a state covers, where a reward of the run pays for that; else null. */
export function radiusOf(config: Config): number | null {
  const paid = chosenOf(rewards, config.reward).find(({ module }) => module.coverRadius);
  return paid?.module.coverRadius?.(paid.params as never) ?? null;
}

/** What episode i has covered in its first t steps, in a world whose places are on a map. */
export function coveredBy(
  { env, level }: World,
  { state, T, words }: Pick<Snapshot, 'state' | 'T' | 'words'>,
  [i, t]: readonly [number, number],
  radius: number,
): Covered | null {
  const { stride, signals } = env;
  if (!stride || !signals?.cover) return null;
  const from = i * (T + 1);
  const side = stride(level);
  const { width } = env.scene(level, state, from * words);
  const seen = new Set<number>();
  let fresh: number[] = [];
  for (let k = 0; k <= t; k++) {
    fresh = [];
    signals.cover(level, state, (from + k) * words, radius, (item) => {
      const cell = Math.floor(item / side) * width + (item % side);
      if (!seen.has(cell)) fresh.push(cell);
      seen.add(cell);
    });
  }
  return { all: [...seen], fresh };
}
