import { backwardInduction } from '../core/dp.ts';
import { PURPOSE, random, uniform } from '../core/random.ts';
import { enumerate } from '../envs/enumerate.ts';
import { FLAG, type Environment, type StepResult } from '../envs/types.ts';

/** Levels with more states are left out. */
const STATES = 2_000;
/** Of the chance to reach the goal, so that longer ways are worth less. */
const GAMMA = 0.95;
const TIE = 1e-9;

/**
 * Two solvers of a level that know equally well how to reach the goal soonest and differ in their habits: of the actions that
 * are best in a state the first takes the first in the list, the second the last.
 */
export type Solvers = {
  /** what solver k does in a state of the level; −1 where it is none of the listed ones, or the goal is out of reach */
  choice(k: 0 | 1, state: Uint32Array, at: number): number;
};

type Where = { readonly env: Environment; readonly level: unknown; readonly T: number };

/** Null where the level has too many states, or no goal. */
export function solversOf({ env, level, T }: Where): Solvers | null {
  const all = enumerate(env, level, STATES);
  if (!all) return null;
  const { model, states, rowOf } = all;
  const { states: n, actions: A } = model;
  const { V, Q } = backwardInduction(model, null, T, GAMMA, 'success');
  if (!(V[0]! > 0)) return null;
  const choices = [new Int16Array(n).fill(-1), new Int16Array(n).fill(-1)] as const;
  for (let s = 0; s < n; s++) {
    const legal = env.legal(level, states, s * env.words);
    const allowed = Array.from({ length: A }, (_, a) => a).filter((a) => ((legal >>> a) & 1) === 1);
    const most = allowed.reduce((top, a) => Math.max(top, Q[s * A + a]!), 0);
    if (most === 0) continue;
    const best = allowed.filter((a) => Q[s * A + a]! >= most - TIE);
    choices[0][s] = best[0]!;
    choices[1][s] = best.at(-1)!;
  }
  return {
    choice(k, state, at) {
      const s = rowOf(state, at);
      return s < 0 ? -1 : choices[k][s]!;
    },
  };
}

/** `share` of the solutions are the second solver's; each of its steps is any legal action with probability `errs`. */
export type Mixture = { readonly share: number; readonly errs: number };

const result: StepResult = { reward: 0, flags: 0 };

/** Solution number `row`, of an episode with this seed: those of the second solver are spread evenly among the others. */
export function mixtureOf(
  where: Where,
  { share, errs }: Mixture,
): ((episodeSeed: number, row: number) => readonly number[]) | null {
  const solvers = solversOf(where);
  if (!solvers) return null;
  const { env, level, T } = where;
  return (episodeSeed, row) => {
    const k = isSecond(row, share) ? 1 : 0;
    const state = new Uint32Array(env.words);
    const path: number[] = [];
    env.reset(level, state, 0);
    for (let t = 0; t < T; t++) {
      const draw = (n: number): number => uniform(random(episodeSeed, PURPOSE.secondSolver, t, n, 0));
      const legal = env.legal(level, state, 0);
      const choice = solvers.choice(k, state, 0);
      const isAny = choice < 0 || (k === 1 && draw(0) < errs);
      const action = isAny ? anyOf(legal, draw(1)) : choice;
      path.push(action);
      env.step(level, state, 0, { action, seed: episodeSeed }, result);
      if ((result.flags & (FLAG.terminated | FLAG.truncated)) !== 0) break;
    }
    return path;
  };
}

/** True for `share` of all rows, at even distances. */
const isSecond = (row: number, share: number): boolean => Math.floor((row + 1) * share) > Math.floor(row * share);

/** One of the legal actions, by a number in [0, 1). */
function anyOf(legal: number, x: number): number {
  const allowed = Array.from({ length: 32 }, (_, a) => a).filter((a) => ((legal >>> a) & 1) === 1);
  return allowed[Math.floor(x * allowed.length)]!;
}
