import { panelLevels, type Plan } from './plan.ts';

/** Held-out levels of each replica of a plan, made when somebody asks first. */
const known = new WeakMap<Plan, Map<number, ReadonlySet<number>>>();

/** True if the held-out evaluation of replica s plays this level: nothing may train on it, whoever sends it. */
export function isHeldOut(plan: Plan, s: number, levelSeed: number): boolean {
  if (plan.deal?.isHeldOut(plan.seeds[s]!, levelSeed)) return true;
  const ofPlan = known.get(plan) ?? new Map<number, ReadonlySet<number>>();
  known.set(plan, ofPlan);
  // of a task with fixed levels, too, the held-out ones are others
  const seeds = ofPlan.get(s) ?? new Set(panelLevels({ ...plan, levels: 0 }, s, plan.P));
  ofPlan.set(s, seeds);
  return seeds.has(levelSeed);
}
