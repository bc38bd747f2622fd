import { PURPOSE, random } from '../core/random.ts';
import { sideEpisodes } from '../slots/registry.ts';
import { sideOf, type SideEpisodes } from '../slots/rollout/types.ts';
import type { Plan, Tasks } from './plan.ts';

/** Side episodes of a run, with the plan that plays them. */
export type Side = { readonly of: SideEpisodes; readonly plan: Plan };

/** The episodes that are played beside the batch of a plan, one per task and replica; null where nothing asks for them. */
export function sideOfPlan(plan: Plan): Side | null {
  const of = sideOf(sideEpisodes, plan.estimator.needs);
  return of && { of, plan: { ...plan, G: 1, B: plan.P, temperature: of.temperature, scheme: null } };
}

/**
 * The tasks of a rollout, each once. The world's draws are the episode's own, unless all episodes of a group share theirs.
 */
export function sideTasks(plan: Plan, tasks: Tasks): Tasks {
  const { S, P, B } = plan;
  const taskIndex = Uint32Array.from({ length: S * P }, (_, k) => k % P);
  const levelOf = new Uint32Array(S * P);
  const episodeSeed = new Uint32Array(S * P);
  const begins = tasks.begins && { ...tasks.begins, of: new Uint32Array(S * P) };
  for (let s = 0; s < S; s++) {
    const groups = tasks.taskIndex.subarray(s * B, (s + 1) * B);
    for (let p = 0; p < P; p++) {
      const row = s * B + groups.indexOf(p);
      levelOf[s * P + p] = tasks.levelOf[row]!;
      if (begins) begins.of[s * P + p] = tasks.begins!.of[row]!;
      episodeSeed[s * P + p] = plan.commonNoise
        ? tasks.episodeSeed[row]!
        : random(plan.seeds[s]!, PURPOSE.sideEpisode, tasks.update, p, 0);
    }
  }
  return { ...tasks, levelOf, begins, taskIndex, episodeSeed };
}
