import { LevelStream } from '../core/random.ts';
import { sum } from '../core/stats.ts';
import { makeArrays } from '../engine/arrays.ts';
import { makeCpuPolicy } from '../engine/cpu/policy.ts';
import { rolloutReplica } from '../engine/cpu/rollout.ts';
import type { Plan } from '../engine/plan.ts';
import { boxobanCount, type BoxobanSet } from '../envs/sokoban/boxoban.ts';
import { FAMILY } from '../envs/sokoban/rules.ts';
import { panelTasks } from './panel.ts';

/** Episodes on every level: the first is the first try. */
export const TRIES = 8;
/** Levels that are played side by side; the draws of an episode depend on its place among them. */
const SIDE_BY_SIDE = 50;

/** By number, the least level seed of evaluations under which each level of a set is played. */
export function seedsOfLevels(set: BoxobanSet): readonly number[] {
  const count = boxobanCount(set);
  const found: number[] = [];
  // the low bits of a level seed are its stage: 0 are boards drawn for practice, 1 is the set
  for (let left = count, seed = 1; left > 0; seed += 8) {
    const number = new LevelStream(seed, FAMILY).below(count);
    if (found[number] !== undefined) continue;
    found[number] = seed;
    left--;
  }
  return found;
}

/** How many levels a policy solves at its first try, and in any of its tries, with actions sampled as in training. */
export function solvedOf(run: Plan, theta: Float32Array, levelSeeds: readonly number[]) {
  let [first, best] = [0, 0];
  for (let at = 0; at < levelSeeds.length; at += SIDE_BY_SIDE) {
    const some = levelSeeds.slice(at, at + SIDE_BY_SIDE);
    const plan: Plan = { ...run, S: 1, P: some.length, G: TRIES, B: some.length * TRIES };
    const arrays = makeArrays(plan);
    const tasks = panelTasks(plan, some, at / SIDE_BY_SIDE);
    rolloutReplica(plan, arrays, { policy: makeCpuPolicy(plan), theta, tasks, mode: 'panel' }, 0);
    for (let k = 0; k < some.length; k++) {
      const tries = arrays.success.subarray(k * TRIES, (k + 1) * TRIES);
      first += tries[0]!;
      best += sum(tries) > 0 ? 1 : 0;
    }
  }
  return { levels: levelSeeds.length, first, best };
}
