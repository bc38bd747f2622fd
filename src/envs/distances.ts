import { branches, namer } from './enumerate.ts';
import { FLAG, type Environment } from './types.ts';

/** States of a level from which it can be solved, with how far they are where chance is kind. */
export type Distances = {
  /** states as an episode meets them, clock 0, each of them once; the first is the start of the level */
  readonly states: readonly Uint32Array[];
  /** fewest steps from each of them to success, and from the start to it */
  readonly toGoal: Uint16Array;
  readonly fromStart: Uint16Array;
  /** fewest steps from the start to success */
  readonly best: number;
  /** true: all of them; false: there are too many to look through, so these are those of one shortest path */
  readonly isWhole: boolean;
};

const UNKNOWN = 0xffff;
const known = new WeakMap<object, Distances | null>();

/**
 * The states of a level by their distance to success: breadth-first search over every outcome, forward from the start and
 * back from the successes. With more than `limit` states only those of a shortest path. Null where there is no way.
 */
export function distancesOf(env: Environment, level: object, limit = 5_000): Distances | null {
  let found = known.get(level);
  if (found === undefined) known.set(level, (found = search(env, level, limit) ?? alongPath(env, level)));
  return found;
}

/** Null where there are too many states, where too much depends on chance, or no way. */
function search(env: Environment, level: object, limit: number): Distances | null {
  if (branches(env, level)) return null;
  const { nameOf } = namer(env, level, 'world');
  const actions = env.actions(level).length;
  const rows = new Map<string, number>();
  const states: Uint32Array[] = [];
  const fromStart: number[] = [];
  const before: number[][] = [];
  const add = (state: Uint32Array, steps: number): number => {
    const name = nameOf(state, 0);
    const row = rows.get(name) ?? states.length;
    if (row < states.length) return row;
    rows.set(name, row);
    const kept = state.slice();
    kept[env.words - 1] = 0;
    states.push(kept);
    fromStart.push(steps);
    before.push([]);
    return row;
  };
  const start = new Uint32Array(env.words);
  env.reset(level, start, 0);
  add(start, 0);
  let layer: number[] = [];
  const toGoal: number[] = [];
  for (let s = 0; s < states.length; s++) {
    if (states.length > limit) return null;
    for (let a = 0; a < actions; a++)
      for (const { state, flags } of env.outcomes(level, states[s]!, a)) {
        if ((flags & FLAG.success) !== 0) toGoal[s] = 1;
        if ((flags & FLAG.terminated) === 0) before[add(state, fromStart[s]! + 1)]!.push(s);
      }
    if (toGoal[s] === 1) layer.push(s);
  }
  for (let d = 2; layer.length > 0; d++) {
    const next: number[] = [];
    for (const s of layer)
      for (const from of before[s]!)
        if (toGoal[from] === undefined) {
          toGoal[from] = d;
          next.push(from);
        }
    layer = next;
  }
  if (toGoal[0] === undefined) return null;
  const live = states.map((_, s) => s).filter((s) => toGoal[s] !== undefined && toGoal[s]! < UNKNOWN);
  return {
    states: live.map((s) => states[s]!),
    toGoal: Uint16Array.from(live, (s) => toGoal[s]!),
    fromStart: Uint16Array.from(live, (s) => fromStart[s]!),
    best: toGoal[0]!,
    isWhole: true,
  };
}

/** The states of one shortest path, where the world is played without its chance. */
function alongPath(env: Environment, level: object): Distances | null {
  const path = env.chances(level) > 1 ? null : env.shortestPath(level);
  if (!path || path.length === 0) return null;
  const state = new Uint32Array(env.words);
  env.reset(level, state, 0);
  const states = path.map((action) => {
    const now = state.slice();
    now[env.words - 1] = 0;
    env.step(level, state, 0, { action, seed: 0 }, { reward: 0, flags: 0 });
    return now;
  });
  return {
    states,
    toGoal: Uint16Array.from(path, (_, k) => path.length - k),
    fromStart: Uint16Array.from(path, (_, k) => k),
    best: path.length,
    isWhole: false,
  };
}

/**
 * A state of `Distances` as the start of an episode: with as many steps used up as the shortest way from the start of the
 * level takes, but at least `least` left. Null where the goal is too far for what is left.
 */
export function startAt({ states, toGoal, fromStart }: Distances, k: number, T: number, least = 4): number[] | null {
  const used = Math.max(0, Math.min(fromStart[k]!, T - least));
  if (toGoal[k]! > T - used) return null;
  const words = Array.from(states[k]!);
  words[words.length - 1] = used;
  return words;
}
