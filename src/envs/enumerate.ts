import type { Model } from '../core/dp.ts';
import { FLAG, type Environment } from './types.ts';

/** All states of a level that can be reached from its start, in breadth-first order, with exact transitions. */
export type Enumeration = {
  readonly model: Model;
  /** [n, words] packed states, clock 0 */
  readonly states: Uint32Array;
  /** the least and the most that a step of this level can pay, 0 counted: chance may pay more than it does on average */
  readonly pays: { readonly least: number; readonly most: number };
  /** row of a state given its packed words (the clock is ignored), −1 if unknown */
  rowOf(state: Uint32Array, at: number): number;
};

/** Three moving obstacles on plain floor; more would take seconds for a single state. */
const CHANCES = 125;

/** True where too much depends on chance for anybody to list states. */
export const branches = <L>(env: Environment<L>, level: L): boolean => env.chances(level) > CHANCES;

/**
 * Breadth-first search over `outcomes` (actions ascending). Returns null as soon as more than `limit` states are
 * known: too large is an answer, not an error. States that differ only in what is seen are one for the `world` and
 * several for a `policy`: V* and maps need the first, V^π of a policy that reads needs the second.
 */
export function enumerate<L>(
  env: Environment<L>,
  level: L,
  limit: number,
  matters: 'world' | 'policy' = 'world',
): Enumeration | null {
  const { words } = env;
  const actions = env.actions(level).length;
  if (branches(env, level)) return null;
  const { found, add, rowOf } = listing(env, level, matters);
  const offset: number[] = [0];
  const next: number[] = [];
  const probability: number[] = [];
  const reward: number[] = [];
  const success: number[] = [];
  let [least, most] = [0, 0];
  for (let s = 0; s < found.length; s++) {
    for (let a = 0; a < actions; a++) {
      let r = 0;
      let wins = 0;
      for (const outcome of env.outcomes(level, found[s]!, a)) {
        const p = outcome.numerator / outcome.denominator;
        const ended = (outcome.flags & FLAG.terminated) !== 0;
        r += (p * outcome.reward) / 1000;
        least = Math.min(least, outcome.reward / 1000);
        most = Math.max(most, outcome.reward / 1000);
        if ((outcome.flags & FLAG.success) !== 0) wins += p;
        next.push(ended ? -1 : add(outcome.state));
        probability.push(p);
      }
      reward.push(r);
      success.push(wins);
      offset.push(next.length);
      if (found.length > limit) return null;
    }
  }
  const states = new Uint32Array(found.length * words);
  found.forEach((state, s) => states.set(state, s * words));
  return {
    states,
    pays: { least, most },
    rowOf,
    model: {
      states: found.length,
      actions,
      offset: Uint32Array.from(offset),
      next: Int32Array.from(next),
      probability: Float64Array.from(probability),
      reward: Float64Array.from(reward),
      success: Float64Array.from(success),
    },
  };
}

/**
 * The states of a level that `enumerate` would list, in its order, without its table: as many as there are, or the first
 * `limit`. Null where too much depends on chance to look.
 */
export function firstStates<L>(env: Environment<L>, level: L, limit: number): readonly Uint32Array[] | null {
  if (branches(env, level)) return null;
  const actions = env.actions(level).length;
  const { found, add } = listing(env, level, 'world');
  for (let s = 0; s < found.length && found.length < limit; s++)
    for (let a = 0; a < actions; a++)
      for (const { state, flags } of env.outcomes(level, found[s]!, a)) if ((flags & FLAG.terminated) === 0) add(state);
  return found;
}

/** A list of different states that begins with the start of a level; `add` gives the row of a state, new or known. */
function listing<L>(env: Environment<L>, level: L, matters: 'world' | 'policy') {
  const rows = new Map<string, number>();
  const found: Uint32Array[] = [];
  const { simple, nameOf } = namer(env, level, matters);
  const add = (state: Uint32Array): number => {
    const name = nameOf(state, 0);
    const known = rows.get(name);
    if (known !== undefined) return known;
    rows.set(name, found.length);
    found.push(simple.slice());
    return found.length - 1;
  };
  const start = new Uint32Array(env.words);
  env.reset(level, start, 0);
  add(start);
  return { found, add, rowOf: (state: Uint32Array, at: number): number => rows.get(nameOf(state, at)) ?? -1 };
}

/** Writes states in their simplest form into `simple`, and names them by it; the clock is ignored. */
export function namer<L>(env: Environment<L>, level: L, matters: 'world' | 'policy') {
  const { words } = env;
  const simple = new Uint32Array(words);
  const nameOf = (state: Uint32Array, at: number): string => {
    for (let w = 0; w < words; w++) simple[w] = state[at + w]!;
    simple[words - 1] = 0;
    env.canonical?.(level, simple, 0, matters);
    let name = '';
    for (let w = 0; w < words - 1; w++) name += simple[w]! + ',';
    return name;
  };
  return { simple, nameOf };
}

/**
 * Fewest steps from the start to a success where chance is kind, without the table of all states: breadth-first search
 * that ends at the first success. `steps` null: there is none, or more than `limit` states would have to be known
 * (`isCut`). `states`: how many were.
 */
export function fewestStepsWithin<L>(
  env: Environment<L>,
  level: L,
  limit: number,
): { readonly steps: number | null; readonly isCut: boolean; readonly states: number } {
  const actions = env.actions(level).length;
  if (branches(env, level)) return { steps: null, isCut: true, states: 0 };
  const { simple, nameOf } = namer(env, level, 'world');
  const start = new Uint32Array(env.words);
  env.reset(level, start, 0);
  const known = new Set([nameOf(start, 0)]);
  let here: Uint32Array[] = [simple.slice()];
  for (let steps = 1; here.length > 0; steps++) {
    const after: Uint32Array[] = [];
    for (const state of here) {
      for (let a = 0; a < actions; a++) {
        for (const outcome of env.outcomes(level, state, a)) {
          if ((outcome.flags & FLAG.success) !== 0) return { steps, isCut: false, states: known.size };
          if ((outcome.flags & FLAG.terminated) !== 0) continue;
          const name = nameOf(outcome.state, 0);
          if (known.has(name)) continue;
          if (known.size >= limit) return { steps: null, isCut: true, states: known.size };
          known.add(name);
          after.push(simple.slice());
        }
      }
    }
    here = after;
  }
  return { steps: null, isCut: false, states: known.size };
}

/** Actions of a shortest path to success where chance is kind: breadth-first search over every outcome; null if none. */
export function shortestPath<L>(env: Environment<L>, level: L, limit = 200_000): number[] | null {
  const all = enumerate(env, level, limit);
  if (!all) return null;
  const { model } = all;
  const cameFrom = new Int32Array(model.states).fill(-1);
  const by = new Int32Array(model.states);
  const queue = [0];
  cameFrom[0] = 0;
  for (let head = 0; head < queue.length; head++) {
    const s = queue[head]!;
    for (let a = 0; a < model.actions; a++) {
      const sa = s * model.actions + a;
      if (model.success[sa]! > 0) return pathTo(cameFrom, by, s, a);
      for (let k = model.offset[sa]!; k < model.offset[sa + 1]!; k++) {
        const to = model.next[k]!;
        if (to >= 0 && cameFrom[to] === -1) {
          cameFrom[to] = s;
          by[to] = a;
          queue.push(to);
        }
      }
    }
  }
  return null;
}

function pathTo(cameFrom: Int32Array, by: Int32Array, s: number, last: number): number[] {
  const path = [last];
  for (let at = s; at !== 0; at = cameFrom[at]!) path.push(by[at]!);
  return path.reverse();
}
