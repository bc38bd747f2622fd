import { PURPOSE, random } from '../core/random.ts';
import type { Plan, Tasks } from './plan.ts';

/** Logits divided by it leave only the largest one in the softmax; equal ones are drawn. */
const COLD = 1e-9;

/** The plan of the greedy episodes, one per task and replica; null where the estimator does not compare with them. */
export function greedyPlan(plan: Plan): Plan | null {
  if (!plan.estimator.needs.includes('greedyReturn')) return null;
  return { ...plan, G: 1, B: plan.P, temperature: COLD, scheme: null };
}

/**
 * The tasks of a rollout, each once. The world's draws are the episode's own, unless all episodes of a group share theirs.
 */
export function greedyTasks(plan: Plan, tasks: Tasks): Tasks {
  const { S, P, B } = plan;
  const taskIndex = Uint32Array.from({ length: S * P }, (_, k) => k % P);
  const levelOf = new Uint32Array(S * P);
  const episodeSeed = new Uint32Array(S * P);
  for (let s = 0; s < S; s++) {
    const groups = tasks.taskIndex.subarray(s * B, (s + 1) * B);
    for (let p = 0; p < P; p++) {
      const row = s * B + groups.indexOf(p);
      levelOf[s * P + p] = tasks.levelOf[row]!;
      episodeSeed[s * P + p] = plan.commonNoise
        ? tasks.episodeSeed[row]!
        : random(plan.seeds[s]!, PURPOSE.greedyEpisode, tasks.update, p, 0);
    }
  }
  return { ...tasks, levelOf, taskIndex, episodeSeed };
}
