import { unitWeight } from '../core/aggregate.ts';
import { PURPOSE, random, uniform } from '../core/random.ts';
import type { Powers, StepControl, UnitSet } from '../slots/types.ts';
import { versionOf } from './behavior.ts';
import type { Plan } from './plan.ts';

/** The minibatch that is looked at: of which update, and how many were looked at before in it. */
export type SurveyAt = { readonly s: number; readonly update: number; readonly pass: number };

/** What a survey reads of one replica: steps at i·T + t, decision d of a step at step·unitsMax + d. */
export type SurveySource = {
  readonly unitsMax: number;
  readonly length: Uint32Array;
  unitsAt(step: number): number;
  readonly A: ArrayLike<number>;
  /** of every decision, where units have advantages of their own */
  readonly unitA?: ArrayLike<number>;
  /** log π_θ, log π_old, and log π_prox where data are not fresh */
  readonly now: ArrayLike<number>;
  readonly old: ArrayLike<number>;
  readonly prox: ArrayLike<number> | null;
  /** entropy of the policy that sampled at every decision, where the objective reads it */
  readonly entropy?: ArrayLike<number>;
  /** m(π_θ) − m(π_old) of every step, where the objective reads it */
  readonly meanChange?: Float64Array;
  /** Σπ² and Σπ³ of every step, where the objective reads them */
  readonly powers?: Powers;
  readonly outcome: Float32Array;
  readonly task: Uint32Array;
  readonly origin?: Uint8Array;
  scoreNorms(trajectories: readonly number[]): Float64Array;
  /** written: one number per unit */
  readonly mark: Float64Array;
};

/**
 * How much of a word counts in its command, n words long: a ratio per step is that of the product of its words, or of
 * their geometric mean.
 */
export function shareOfWord(ratioLevel: Plan['ratioLevel'], n: number): number {
  return ratioLevel === 'stepMean' && n > 0 ? 1 / n : 1;
}

/** Weight of every unit in the loss average, as a multiple of the mean one. */
export function weightsOf(mode: Plan['aggregate'], trajectory: readonly number[]): Float64Array {
  const counts = new Map<number, number>();
  for (const i of trajectory) counts.set(i, (counts.get(i) ?? 0) + 1);
  const n = trajectory.length;
  const weights = Float64Array.from(trajectory, (i) => unitWeight(mode, counts.get(i)!, n, counts.size, n));
  const mean = weights.reduce((sum, w) => sum + w, 0) / n;
  return weights.map((w) => w / mean);
}

const powersAt = ({ squares, cubes }: Powers, place: readonly number[], K: number): Pick<UnitSet, 'powers'> => ({
  powers: {
    squares: Float64Array.from(place, (at) => squares[at / K]!),
    cubes: Float64Array.from(place, (at) => cubes[at / K]!),
  },
});

/** Shows all units of a minibatch to the objective and keeps the marks it gives them. */
export function surveyMinibatch(
  plan: Pick<Plan, 'T' | 'ratioLevel' | 'aggregate' | 'objective' | 'objectiveParams' | 'seeds' | 'behavior'>,
  trajectories: Uint32Array,
  { s, update, pass }: SurveyAt,
  source: SurveySource,
): StepControl {
  const { unitsMax: K, now, old, prox, mark } = source;
  const perStep = plan.ratioLevel !== 'unit';
  const place: number[] = [];
  const credit: number[] = [];
  const delta: number[] = [];
  const logp: number[] = [];
  const aged: number[] = [];
  const entropy: number[] = [];
  const trajectory: number[] = [];
  for (const i of trajectories) {
    for (let step = i * plan.T; step < i * plan.T + source.length[i]!; step++) {
      const n = source.unitsAt(step);
      const share = shareOfWord(plan.ratioLevel, n);
      for (let d = 0; d < n; d++) {
        const at = step * K + d;
        const moved = (now[at]! - old[at]!) * share;
        const age = prox ? (prox[at]! - old[at]!) * share : 0;
        if (perStep && d > 0) {
          delta[delta.length - 1]! += moved;
          aged[aged.length - 1]! += age;
          logp[logp.length - 1]! += now[at]! * share;
          if (source.entropy) entropy[entropy.length - 1]! += source.entropy[at]!;
          continue;
        }
        place.push(at);
        credit.push(source.unitA && !perStep ? source.unitA[at]! : source.A[step]!);
        delta.push(moved);
        aged.push(age);
        logp.push(now[at]! * share);
        if (source.entropy) entropy.push(source.entropy[at]!);
        trajectory.push(i);
      }
    }
  }
  if (place.length === 0) return {};
  const seed = plan.seeds[s]!;
  /** updates between the version that played a step and the one that the update starts with */
  const ageOf = (step: number): number => {
    const i = Math.floor(step / plan.T);
    return update - versionOf(plan, seed, update, source.task[i]!, step % plan.T);
  };
  const set: UnitSet = {
    A: Float64Array.from(credit),
    delta: Float64Array.from(delta),
    logp: Float64Array.from(logp),
    prox: Float64Array.from(aged),
    ...(source.meanChange ? { meanChange: Float64Array.from(place, (at) => source.meanChange![at / K]!) } : {}),
    ...(source.powers ? { ...powersAt(source.powers, place, K), weight: weightsOf(plan.aggregate, trajectory) } : {}),
    ...(source.entropy ? { entropy: Float64Array.from(entropy) } : {}),
    ...(plan.objective.readsAges ? { ages: Float64Array.from(place, (at) => ageOf(Math.floor(at / K))) } : {}),
    trajectory: Uint32Array.from(trajectory),
    outcome: source.outcome,
    task: source.task,
    ...(source.origin ? { origin: source.origin } : {}),
    scoreNorms: source.scoreNorms,
    draw: (u) => uniform(random(seed, PURPOSE.surveyDraw, update, pass, place[u]!)),
  };
  const found = new Float64Array(place.length);
  const control = plan.objective.survey!(set, plan.objectiveParams as never, found);
  place.forEach((to, u) => (mark[to] = found[u]!));
  return control ?? {};
}
