import { discountedOptimum } from '../../../core/dp.ts';
import { enumerate, type Enumeration } from '../../../envs/enumerate.ts';
import { FLAG, type Environment, type StepResult } from '../../../envs/types.ts';

/** Action of the solver in a state at step t; null: it knows none. */
type Solver = (state: Uint32Array, t: number) => number | null;

/** Where chance acts, levels with more states than this have a plan for a world without chance only. */
const STATES = 5_000;
/** Of the chance to reach the goal, so that the shortest safe way is the best one. */
const GAMMA = 0.95;
const TOLERANCE = 1e-9;

/** By level: from its start, and from anywhere in it. */
const solvers = new WeakMap<object, Solver>();
const anywhere = new WeakMap<object, Solver>();
const result: StepResult = { reward: 0, flags: 0 };

/** Where an episode is played: its world, the step limit, and the saved state it begins in; null: the start of the level. */
type From = { readonly env: Environment; readonly T: number; readonly begins: Uint32Array | null };

/**
 * Actions of an episode that reaches the goal within T steps; null if the solver finds none. Chance in the world is drawn by
 * the seed of the episode, so that an episode is known before it is played.
 */
export function solve({ env, T, begins }: From, level: object, episodeSeed: number): number[] | null {
  const known = begins ? anywhere : solvers;
  let solver = known.get(level);
  if (!solver) known.set(level, (solver = solverOf(env, level, begins !== null)));
  const state = new Uint32Array(env.words);
  if (begins) state.set(begins);
  else env.reset(level, state, 0);
  const actions: number[] = [];
  const move = { action: 0, seed: episodeSeed };
  for (let t = 0; t < T; t++) {
    const action = solver(state, t);
    if (action === null || ((env.legal(level, state, 0) >>> action) & 1) === 0) return null;
    actions.push(action);
    move.action = action;
    env.step(level, state, 0, move, result);
    if ((result.flags & FLAG.terminated) !== 0) return (result.flags & FLAG.success) !== 0 ? actions : null;
    if ((result.flags & FLAG.truncated) !== 0) return null;
  }
  return null;
}

/**
 * Without chance the shortest path; with chance, or where an episode may begin anywhere, the best action of every state, where
 * the level is small enough.
 */
function solverOf(env: Environment, level: object, isAnywhere: boolean): Solver {
  const all = isAnywhere || env.chances(level) > 1 ? enumerate(env, level, STATES) : null;
  if (!all) {
    const path = isAnywhere ? [] : (env.shortestPath(level) ?? []);
    return (_, t) => path[t] ?? null;
  }
  const best = bestActions(all);
  return (state) => best[all.rowOf(state, 0)] ?? null;
}

/** The action of every state with the largest discounted chance of success; of equal ones the first. */
function bestActions({ model }: Enumeration): Uint32Array {
  const { states, actions, offset, next, probability, success } = model;
  const V = discountedOptimum({ ...model, reward: success }, GAMMA, TOLERANCE);
  return Uint32Array.from({ length: states }, (_, s) => {
    let best = 0;
    let most = -Infinity;
    for (let a = 0; a < actions; a++) {
      const sa = s * actions + a;
      let q = success[sa]!;
      for (let k = offset[sa]!; k < offset[sa + 1]!; k++)
        if (next[k]! >= 0) q += GAMMA * probability[k]! * V[next[k]!]!;
      if (q > most) [best, most] = [a, q];
    }
    return best;
  });
}
