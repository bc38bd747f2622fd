import { expect } from 'vitest';
import { backwardInduction } from '../core/dp.ts';
import { random, uniform } from '../core/random.ts';
import { enumerate } from '../envs/enumerate.ts';
import { FLAG } from '../envs/types.ts';
import type { Plan } from './plan.ts';

/** For tests: what a world does, wrappers included, in the first level of a plan. */
const firstLevel = (plan: Plan): unknown => plan.level(plan.firstLevelSeed);

/** Plays actions from the start: state, reward and flags after each step. */
export function played(plan: Plan, actions: readonly number[], seed = 5) {
  const { env } = plan;
  const level = firstLevel(plan);
  const state = new Uint32Array(env.words);
  const result = { reward: 0, flags: 0 };
  env.reset(level, state, 0);
  return actions.map((action) => {
    env.step(level, state, 0, { action, seed }, result);
    return { state: state.slice(), ...result };
  });
}

/** Chance that a policy which picks every action equally often succeeds within the step limit. */
export function bySheerLuck(plan: Plan): number {
  const level = firstLevel(plan);
  const { model } = enumerate(plan.env, level, 100_000)!;
  const even = new Float64Array(model.states * model.actions).fill(1 / model.actions);
  return backwardInduction(model, even, plan.env.maxSteps(level), 1, 'success').V[0]!;
}

/** One of all actions, each as likely. */
const anyAction = (draws: readonly number[], actions: number): number => Math.floor(draws[0]! * actions);

type Walks = {
  readonly episodes: number;
  readonly steps: number;
  /** the action of a step, from two numbers in 0…1 */
  readonly choose?: (draws: readonly number[], actions: number) => number;
};

/** Holds every step of such episodes to be one of its outcomes, whose chances are 1 together. The states after each step. */
export function expectAmongOutcomes(plan: Plan, { episodes, steps, choose = anyAction }: Walks): Uint32Array[] {
  const { env, actions } = plan;
  const level = firstLevel(plan);
  const found: Uint32Array[] = [];
  for (let seed = 0; seed < episodes; seed++) {
    const state = new Uint32Array(env.words);
    const result = { reward: 0, flags: 0 };
    env.reset(level, state, 0);
    for (let t = 0; t < steps && state[env.words - 1]! >>> 16 === 0; t++) {
      const draws = [0, 1].map((n) => uniform(random(seed, 99, t, n, 0)));
      const action = choose(draws, actions);
      const before = state.slice();
      before[env.words - 1] = 0;
      const outcomes = env.outcomes(level, before, action);
      expect(outcomes.reduce((sum, o) => sum + o.numerator / o.denominator, 0)).toBeCloseTo(1, 12);
      env.step(level, state, 0, { action, seed }, result);
      const now = state.slice(0, env.words - 1).join();
      const among = outcomes.filter((o) => o.state.slice(0, env.words - 1).join() === now);
      const told = among.map((o) => [o.reward, o.flags & ~FLAG.truncated]);
      expect(told).toContainEqual([result.reward, result.flags & ~FLAG.truncated]);
      found.push(state.slice());
    }
  }
  return found;
}
