import { isMeasured } from '../../../contract/rows.ts';
import type { ValuesOf } from '../../../core/settings.ts';
import type { Environment } from '../../../envs/types.ts';
import { replayOf, store, storedIn } from '../again/episodeStore.ts';
import type { MemoryContext, Replay, RolloutMemory } from '../memory/types.ts';
import type { hindsightSettings } from './hindsight.ts';

type Params = ValuesOf<typeof hindsightSettings>;
type Episode = Pick<Replay, 'name' | 'episodeSeed' | 'begins' | 'actions'>;

/** The states of an episode that is played again by its actions, its first one included. */
export function statesOf({ env, level }: Pick<MemoryContext, 'env' | 'level'>, episode: Episode): Uint32Array[] {
  const made = level(episode.name);
  const state = new Uint32Array(env.words);
  if (episode.begins) state.set(episode.begins);
  else env.reset(made, state, 0);
  const states = [state.slice()];
  const result = { reward: 0, flags: 0 };
  for (const action of Array.from(episode.actions)) {
    env.step(made, state, 0, { action, seed: episode.episodeSeed }, result);
    states.push(state.slice());
  }
  return states;
}

/** A state, asked for other words than it was. */
export function askedFor(env: Environment, state: Uint32Array, goal: Uint32Array): Uint32Array {
  const asked = state.slice();
  asked.set(goal, env.aims!.before);
  return asked;
}

/** Steps t … t′ − 1 of an episode of n steps: t uniform in [0, n), t′ uniform in (t, n], by two numbers in [0, 1). */
export function pieceOf(n: number, u: number, v: number): { readonly from: number; readonly to: number } {
  const from = Math.floor(u * n);
  return { from, to: from + 1 + Math.floor(v * (n - from)) };
}

/** An episode that is asked for what its state at step `to` brings about; only the steps from … to − 1 count. */
function relabelled(replay: Replay, { from, to }: ReturnType<typeof pieceOf>, context: MemoryContext): Replay {
  const { env, level } = context;
  const states = statesOf(context, replay);
  const goal = new Uint32Array(env.aims!.words);
  env.aims!.reached(level(replay.name), states[to]!, 0, goal);
  const { name, episodeSeed, actions, advantage, came } = replay;
  const weights = Float32Array.from(actions, (_, t) => (t >= from && t < to ? 1 : 0));
  return { ...{ name, episodeSeed, actions, advantage, came, weights }, begins: askedFor(env, states[0]!, goal) };
}

export const hindsightMemory: RolloutMemory<Params> = {
  report(memory, finished, context) {
    const { batch } = finished;
    const rows = Array.from({ length: batch.B }, (_, row) => row).filter((row) => isMeasured(batch, row));
    store(
      memory,
      finished,
      rows.map((row) => ({ row, advantage: 0 })),
      context,
    );
    const { env, level, T } = context;
    if (!env.aims) return {};
    const reached = new Map<number, Set<string>>();
    const goal = new Uint32Array(env.aims.words);
    for (const row of rows) {
      const task = batch.taskIndex[row]!;
      if (!reached.has(task)) reached.set(task, new Set());
      const episode = {
        ...{ name: finished.name(row), episodeSeed: finished.episodeSeed(row) },
        ...{
          begins: finished.begins(row) ?? undefined,
          actions: batch.action.subarray(row * T, row * T + batch.length[row]!),
        },
      };
      for (const state of statesOf(context, episode)) {
        env.aims.reached(level(episode.name), state, 0, goal);
        reached.get(task)!.add(goal.join(' '));
      }
    }
    let total = 0;
    for (const { size } of reached.values()) total += size;
    return { goalsReached: reached.size === 0 ? NaN : total / reached.size };
  },

  imitate(memory, context, { rows }) {
    const stored = storedIn(memory);
    // without a goal in what is seen there is nothing to ask for
    if (stored.length === 0 || !context.env.aims) return [];
    return Array.from({ length: rows }, (_, k) => {
      const one = stored[Math.floor(context.draw(3 * k) * stored.length)]!;
      const piece = pieceOf(one.length, context.draw(3 * k + 1), context.draw(3 * k + 2));
      return relabelled(replayOf(memory, one, 1, context), piece, context);
    });
  },

  imitationRate: ({ rate }) => rate,
};
