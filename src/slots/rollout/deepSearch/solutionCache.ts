import { originOf } from '../../../contract/rows.ts';
import type { Tensors } from '../../../contract/state.ts';
import { groupsOf } from '../../../core/batch.ts';
import type { ValuesOf } from '../../../core/settings.ts';
import { FLAG, type StepResult } from '../../../envs/types.ts';
import { drop, place, storedIn } from '../again/episodeStore.ts';
import type { Finished, MemoryContext, RolloutMemory } from '../memory/types.ts';
import type { searchSettings } from './deepSearch.ts';
import { solutionsOf, type Place } from './replayed.ts';

type Params = Pick<ValuesOf<typeof searchSettings>, 'cache' | 'hardUpTo'>;

const REPLAY = originOf('replay');

/** Row `row` of a finished batch, with the actions from its start on. */
function episodeOf({ batch, name, begins, episodeSeed }: Finished, row: number, update: number) {
  const { T, length, action, outcome } = batch;
  const actions = action.subarray(row * T, row * T + length[row]!);
  const played = { length: actions.length, outcome: outcome[row]!, success: 1, advantage: 0 };
  return { update, ...name(row), episodeSeed: episodeSeed(row), ...played, actions, begins: begins(row) };
}
type Episode = ReturnType<typeof episodeOf>;

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

/** Puts an episode where there is room, else in the place of the oldest. */
function keep(memory: Tensors, episode: Episode, cache: number, context: MemoryContext): void {
  const stored = storedIn(memory);
  const taken = new Set(stored.map(({ slot }) => slot));
  let slot = 0;
  while (taken.has(slot)) slot++;
  if (slot >= cache) slot = stored.reduce((oldest, one) => (one.update < oldest.update ? one : oldest)).slot;
  place(memory, slot, episode, context);
}

const isSame = (a: ArrayLike<number>, b: ArrayLike<number>): boolean =>
  a.length === b.length && Array.from(a).every((x, k) => x === b[k]);

/** Solutions of hard tasks, kept until their level is hard no more. */
export const solutionCache: RolloutMemory<Params> = {
  report(memory, finished, context, { cache, hardUpTo }) {
    if (cache === 0) return { replayedTasks: 0 };
    const { batch, name, begins } = finished;
    const placeOf = (row: number): Place => ({ name: name(row), begins: begins(row) });
    const { T, update } = context;
    const groups = groupsOf(batch);
    const isReplay = (row: number): boolean => batch.origin![row] === REPLAY;
    // groups of one task are judged together
    const tasks = new Map<string, readonly number[]>();
    for (const group of groups) {
      const { levelSeed, maxSteps, variant } = name(group[0]!);
      const key = [levelSeed, maxSteps, variant, 'from', ...(begins(group[0]!) ?? [])].join();
      tasks.set(key, [...(tasks.get(key) ?? []), ...group.filter((row) => !isReplay(row))]);
    }
    for (const rows of tasks.values()) {
      const won = rows.filter((row) => batch.success[row] === 1);
      if (won.length > hardUpTo * rows.length) drop(memory, solutionsOf(memory, placeOf(rows[0]!)));
      else
        for (const row of won) {
          const episode = episodeOf(finished, row, update);
          const known = solutionsOf(memory, placeOf(row)).some(({ slot, length }) =>
            isSame(memory['actions']!.subarray(slot * T, slot * T + length), episode.actions),
          );
          if (!known && succeeds(context, episode)) keep(memory, episode, cache, context);
        }
    }
    return { replayedTasks: groups.filter((group) => group.some(isReplay)).length / groups.length };
  },
};
