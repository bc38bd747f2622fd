import { PURPOSE, random, uniform } from '../core/random.ts';
import type { StepControl, UnitSet } from '../methods/types.ts';
import type { Plan } from './plan.ts';

/** The minibatch that is looked at: of which update, and how many were looked at before in it. */
export type SurveyAt = { readonly s: number; readonly update: number; readonly pass: number };

/** What a survey reads of one replica: steps at i·T + t, decision d of a step at step·unitsMax + d. */
export type SurveySource = {
  readonly unitsMax: number;
  readonly length: Uint32Array;
  unitsAt(step: number): number;
  readonly A: ArrayLike<number>;
  /** log π_θ, log π_old, and log π_prox where data are not fresh */
  readonly now: ArrayLike<number>;
  readonly old: ArrayLike<number>;
  readonly prox: ArrayLike<number> | null;
  /** m(π_θ) − m(π_old) of every step, where the objective reads it */
  readonly meanChange?: Float64Array;
  readonly outcome: Float32Array;
  readonly task: Uint32Array;
  readonly demo?: Uint8Array;
  scoreNorms(trajectories: readonly number[]): Float64Array;
  /** written: one number per unit */
  readonly mark: Float64Array;
};

/** Shows all units of a minibatch to the objective and keeps the marks it gives them. */
export function surveyMinibatch(
  plan: Pick<Plan, 'T' | 'ratioLevel' | 'objective' | 'objectiveParams' | 'seeds'>,
  trajectories: Uint32Array,
  { s, update, pass }: SurveyAt,
  source: SurveySource,
): StepControl {
  const { unitsMax: K, now, old, prox, mark } = source;
  const perStep = plan.ratioLevel === 'step';
  const place: number[] = [];
  const credit: number[] = [];
  const delta: number[] = [];
  const logp: number[] = [];
  const aged: number[] = [];
  const trajectory: number[] = [];
  for (const i of trajectories) {
    for (let step = i * plan.T; step < i * plan.T + source.length[i]!; step++) {
      const n = source.unitsAt(step);
      for (let d = 0; d < n; d++) {
        const at = step * K + d;
        const moved = now[at]! - old[at]!;
        const age = prox ? prox[at]! - old[at]! : 0;
        if (perStep && d > 0) {
          delta[delta.length - 1]! += moved;
          aged[aged.length - 1]! += age;
          logp[logp.length - 1]! += now[at]!;
          continue;
        }
        place.push(at);
        credit.push(source.A[step]!);
        delta.push(moved);
        aged.push(age);
        logp.push(now[at]!);
        trajectory.push(i);
      }
    }
  }
  if (place.length === 0) return {};
  const seed = plan.seeds[s]!;
  const set: UnitSet = {
    A: Float64Array.from(credit),
    delta: Float64Array.from(delta),
    logp: Float64Array.from(logp),
    prox: Float64Array.from(aged),
    ...(source.meanChange ? { meanChange: Float64Array.from(place, (at) => source.meanChange![at / K]!) } : {}),
    trajectory: Uint32Array.from(trajectory),
    outcome: source.outcome,
    task: source.task,
    ...(source.demo ? { demo: source.demo } : {}),
    scoreNorms: source.scoreNorms,
    draw: (u) => uniform(random(seed, PURPOSE.surveyDraw, update, pass, place[u]!)),
  };
  const found = new Float64Array(place.length);
  const control = plan.objective.survey!(set, plan.objectiveParams as never, found);
  place.forEach((to, u) => (mark[to] = found[u]!));
  return control ?? {};
}
