import type { RowPlan } from '../../../contract/rows.ts';
import { FLAG, type Environment, type StepResult } from '../../../envs/types.ts';
import type { RowContext } from '../types.ts';
import { foundAt } from './table.ts';

const key = new Uint32Array(2);
const NOTHING = new Uint32Array();
const result: StepResult = { reward: 0, flags: 0 };

/** An episode: its level, the number that it is made from, where it begins and its chance. */
export type Episode = {
  readonly env: Environment;
  readonly T: number;
  readonly level: object;
  readonly levelSeed: number;
  readonly begins: ArrayLike<number> | null;
  readonly episodeSeed: number;
};

/** Actions of an episode that plays what was found for the steps before `until`, and `other` where nothing was and from then on. */
export function playedBy(
  { env, T, level, levelSeed, begins, episodeSeed }: Episode,
  found: Uint32Array,
  until: number,
  other: (t: number, legal: readonly number[]) => number,
): number[] {
  const state = new Uint32Array(env.words);
  if (begins) state.set(begins);
  else env.reset(level, state, 0);
  const path: number[] = [];
  for (let t = 0; t < T; t++) {
    env.key(level, state, 0, key, 0);
    const known = t < until ? foundAt(found, t, levelSeed, key) : -1;
    const legal = env.legal(level, state, 0);
    const allowed = env.actions(level).flatMap((_, a) => (((legal >>> a) & 1) === 1 ? [a] : []));
    const action = known >= 0 ? known : other(t, allowed);
    path.push(action);
    env.step(level, state, 0, { action, seed: episodeSeed }, result);
    if ((result.flags & (FLAG.terminated | FLAG.truncated)) !== 0) break;
  }
  return path;
}

/** The rows of a batch: chance in the world is a function of the seed of an episode, so their actions are known before. */
export function explored({ env, T, tasks, memory, ...of }: RowContext): RowPlan[] {
  const found = (memory?.['found'] ?? NOTHING) as Uint32Array;
  const until = memory?.['at']?.[0] ?? 0;
  return Array.from(tasks, (task, row) => {
    const episode = {
      ...{ env, T, level: of.level(row), levelSeed: of.name(row).levelSeed },
      ...{ begins: of.begins(row), episodeSeed: of.episodeSeed(row) },
    };
    const actions = playedBy(episode, found, until, (t, legal) => legal[Math.floor(legal.length * of.draw(row, t))]!);
    return { task, origin: 'search', actions, trains: false, measured: true };
  });
}
