import { originOf } from '../../../contract/rows.ts';
import { groupsOf } from '../../../core/batch.ts';
import type { ValuesOf } from '../../../core/settings.ts';
import { FLAG, type StepResult } from '../../../envs/types.ts';
import { drop, place, playedIn, roomIn } from '../again/episodeStore.ts';
import { placeKey } from '../again/storedTask.ts';
import type { MemoryContext, RolloutMemory } from '../memory/types.ts';
import type { searchSettings } from './deepSearch.ts';
import { solutionsOf, type Place } from './replayed.ts';

type Params = Pick<ValuesOf<typeof searchSettings>, 'cache' | 'hardUpTo'>;

const REPLAY = originOf('replay');

type Episode = ReturnType<typeof playedIn>;

/**
 * Does an episode succeed if it is played again? One that was forked met other chance before it parted than it
 * would meet now; in a world without chance all do.
 */
function succeeds({ env, level }: Pick<MemoryContext, 'env' | 'level'>, episode: Episode): boolean {
  const made = level(episode);
  const state = new Uint32Array(env.words);
  const result: StepResult = { reward: 0, flags: 0 };
  if (episode.begins) state.set(episode.begins);
  else env.reset(made, state, 0);
  for (const [t, action] of episode.actions.entries()) {
    if (((env.legal(made, state, 0) >>> action) & 1) === 0) return false;
    env.step(made, state, 0, { action, seed: episode.episodeSeed }, result);
    const isOver = (result.flags & (FLAG.terminated | FLAG.truncated)) !== 0;
    if (isOver) return t + 1 === episode.length && (result.flags & FLAG.success) !== 0;
  }
  return (result.flags & FLAG.success) !== 0;
}

const isSame = (a: ArrayLike<number>, b: ArrayLike<number>): boolean =>
  a.length === b.length && Array.from(a).every((x, k) => x === b[k]);

/** Solutions of hard tasks, kept until their level is hard no more. */
export const solutionCache: RolloutMemory<Params> = {
  report(memory, finished, context, { cache, hardUpTo }) {
    if (cache === 0) return { replayedTasks: 0 };
    const { batch, name, begins } = finished;
    const placeOf = (row: number): Place => ({ name: name(row), begins: begins(row) });
    const { T } = context;
    const groups = groupsOf(batch);
    const isReplay = (row: number): boolean => batch.origin![row] === REPLAY;
    // groups of one task are judged together
    const tasks = new Map<string, readonly number[]>();
    for (const group of groups) {
      const key = placeKey(placeOf(group[0]!));
      tasks.set(key, [...(tasks.get(key) ?? []), ...group.filter((row) => !isReplay(row))]);
    }
    for (const rows of tasks.values()) {
      const won = rows.filter((row) => batch.success[row] === 1);
      if (won.length > hardUpTo * rows.length) drop(memory, solutionsOf(memory, placeOf(rows[0]!)));
      else
        for (const row of won) {
          const episode = playedIn(finished, { row, advantage: 0 }, context);
          const known = solutionsOf(memory, placeOf(row)).some(({ slot, length }) =>
            isSame(memory['actions']!.subarray(slot * T, slot * T + length), episode.actions),
          );
          if (!known && succeeds(context, episode)) place(memory, roomIn(memory), episode, context);
        }
    }
    return { replayedTasks: groups.filter((group) => group.some(isReplay)).length / groups.length };
  },
};
