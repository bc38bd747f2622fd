import type { Objective } from '../types.ts';

/** Of n units, how many get the mark at most, and a rank where the marks need one. */
export type Counts = (n: number) => readonly [marked: number, rank: number];

/**
 * A loss of pairs of episodes of one task group, the larger return wins: mean of f(x), x = scale·(Λ_w − λΛ_l), weighed by 1 or by
 * 1 + R_w − R_l (`byGap`). f(x) = −log σ(x), or (x − target)² with a target. Λ is the sum, or the `mean`, of Δ or of log π. Of more than
 * `maxPairs` pairs of a group evenly spaced ones count.
 */
export type PairForm = {
  readonly maxPairs: number;
  readonly scale: number;
  readonly lambda: number;
  readonly target: number | null;
  readonly byGap: boolean;
  readonly mean: boolean;
  readonly ofLogp: boolean;
};

/**
 * Weights of whole trajectories, w = exp Σ Δ, up to a cap. They weigh returns of task groups against a baseline, with w² ('paper')
 * or w²·min(w, cap)² ('code') and the squared lengths of scores where the objective reads them; null: their mark is the weight. By
 * how many of them count the step is shortened: √min(1, ess/base), or without the root; null: never.
 */
export type WeightForm = {
  readonly logCap: number;
  readonly baseline: 'paper' | 'code' | null;
  readonly step: { readonly base: number; readonly rule: 'sqrt' | 'linear' } | null;
};

/** From what a device makes marks, and in which kernel (src/engine/gpu/marks.ts); what the objective says of it is WGSL. */
export type DeviceMarks =
  /**
   * From all units of a trajectory: `fn termOf(A, delta) -> vec2f` is summed over its n units, `fn markOf(sum, n, A, delta) ->
   * f32` is the mark of each. After every look, or once at the start, with Δ = log π_prox − log π_old, 0 on fresh data.
   */
  | { readonly of: 'trajectory' | 'start'; readonly wgsl: string }
  /**
   * From A = R − mean R of the own episodes of the task, or of all with `isOfAll`, and the sum of Δ over the trajectory:
   * `fn markOf(A, sum, logp, delta, isShown) -> f32`, isShown: the action was given. Marks are 0 where there is no such episode.
   */
  | { readonly of: 'group'; readonly wgsl: string; readonly isOfAll?: boolean }
  /**
   * From all units of a minibatch. `fn termOf(u: Unit) -> f32` is summed over the trajectory of a unit, `u.sum`. Then each of
   * ROUNDS rounds takes means of the first two numbers of `fn partOf(u: Unit, all: vec4f) -> vec4f` over the minibatch and the
   * largest of the others: the first mean is added to that of the round before, and `all` has the result.
   * `fn markOf(u: Unit, all: vec4f) -> vec2f` is the mark, and the number that `tells` gets in its place. `isStill`: no mark
   * depends on Δ, so that none needs a look.
   */
  | { readonly of: 'batch'; readonly wgsl: string; readonly isStill?: boolean }
  /**
   * log π_prox − log π_old at the units of a minibatch whose mean square is below `limit` once the largest are left out, of equal
   * ones the earlier first, and at least one stays; LEFT_OUT at the others.
   */
  | { readonly of: 'moment'; readonly limit: number; readonly isStill: true }
  /**
   * 0 for the units with the largest excess above 1, of equal ones the earlier, at most `counts` of n; 1 for the others, and for what
   * is no number. `fn excessOf(u: Unit) -> f32`, u = A, delta, logp, weight in the loss average over the mean one, squares = Σπ²,
   * cubes = Σπ³.
   */
  | { readonly of: 'excess'; readonly wgsl: string; readonly counts: Counts }
  /** The weight of the trajectory of a unit, capped, and times (R − b)/σ of its task group where there is a baseline. */
  | { readonly of: 'weight'; readonly form: WeightForm }
  /** κ of every unit, B times the slope of a loss of pairs by its log π, B trajectories in the minibatch. */
  | { readonly of: 'pairs'; readonly form: PairForm }
  /** From `meanChange` at the next unit of the trajectory, 0 after the last: `fn markOf(A, change) -> f32`. */
  | { readonly of: 'next'; readonly wgsl: string }
  /**
   * 1 for units with the largest (A − Ā)(log π − mean log π), or drawn from candidates: `fn mayGo(c, isAbove, A, delta) -> bool`,
   * isAbove: more than all but so many. `counts`: of n units, how many get the mark, and how many may be above.
   */
  | { readonly of: 'covariance'; readonly wgsl: string | null; readonly counts: Counts };

/** The objective as a device runs it: without a survey where it makes the marks itself, of steps that are one unit each. */
export function onDevice(objective: Objective, writes: boolean): Objective {
  if (!objective.marks || writes) return objective;
  const { survey: _survey, ...rest } = objective;
  return rest;
}
