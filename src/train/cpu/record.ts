import { groupsOf, stepsOf, type Batch } from '../../core/batch.ts';
import { log } from '../../core/fmath.ts';
import { isDegenerate, mean, std } from '../../core/stats.ts';
import { anchorShare } from '../../methods/analysis/anchor.ts';
import { covariance } from '../../methods/analysis/covariance.ts';
import { groupShares } from '../../methods/analysis/creditStats.ts';
import {
  essClipped,
  essFromLogWeights,
  essLearningRateFactor,
  essOfGroups,
  largestShare,
  meanWeight,
} from '../../methods/analysis/ess.ts';
import { putInto, type Put } from '../../methods/analysis/metrics.ts';
import { explainedVariance } from '../../methods/analysis/success.ts';
import { CLIP } from '../../methods/objective/ratio.ts';
import { ownPart, partOf } from '../demonstrations.ts';
import type { Plan } from '../plan.ts';
import type { Seen, Tally } from './policy.ts';
import { recordEntropy, type Written } from './recordEntropy.ts';

/** What is measured of a batch besides itself; arrays of the replica alone. */
export type Judged = Written &
  Pick<Seen, 'probs' | 'unitEntropy'> & {
    /** [B, T] */
    readonly A: Float32Array;
    /** [B, T] value targets; null without a critic */
    readonly target: Float32Array | null;
    /** [B, T, 2] both values of a double critic; empty without one */
    readonly valueHeads: Float32Array;
  };

/** ESS cuts weights here when it asks what a truncated estimator sees (spec metrics §2). */
const WEIGHT_CAP = 8;

/**
 * Metrics that only need the batch and its credit (definitions: methods/analysis/metrics.ts). They are about what the
 * policy played itself.
 */
export function recordBatch(plan: Plan, whole: Batch, judged: Judged, metrics: Float64Array, s: number): void {
  const put = putInto(metrics, s);
  const { batch, rows } = ownPart(whole);
  const A = partOf(judged.A, plan.B, rows);
  const groups = groupsOf(batch);
  const steps = stepsOf(
    batch,
    Array.from({ length: batch.B }, (_, i) => i),
  );
  let outcome = 0;
  let squares = 0;
  let positive = 0;
  for (let i = 0; i < batch.B; i++) outcome += batch.outcome[i]!;
  for (const k of steps) {
    squares += A[k]! * A[k]!;
    if (A[k]! > 0) positive++;
  }
  put('returnMean', outcome / batch.B);
  put('creditRms', Math.sqrt(squares / steps.length));
  put('creditPositive', positive / steps.length);
  const credit = Float64Array.from(steps, (k) => A[k]!);
  put('creditMean', mean(credit));
  put('creditStd', steps.length > 1 ? std(credit) : NaN);
  put('degenerate', groups.filter((g) => isDegenerate(g.map((i) => batch.outcome[i]!))).length / groups.length);
  put('anchorShare', anchorShare(batch));
  recordLengths(batch, put);
  const shares = groupShares(batch, A);
  put('effectiveGroups', shares.effectiveGroups);
  put('mixedOutcomeGroups', shares.mixedOutcomeGroups);
  put('allSolved', shares.allSolved);
  put('allFailed', shares.allFail);
  recordEntropy(plan, whole, { ...judged, entropy: whole.entropy }, metrics, s);
  if (judged.target) {
    const target = partOf(judged.target, plan.B, rows);
    const explained = explainedVariance(
      steps.map((k) => target[k]!),
      steps.map((k) => batch.value[k]!),
    );
    put('explainedVariance', explained ?? NaN);
  }
  const heads = partOf(judged.valueHeads, plan.B, rows);
  if (heads.length > 0)
    put('criticGap', mean(Float64Array.from(steps, (k) => Math.abs(heads[2 * k]! - heads[2 * k + 1]!))));
}

function recordLengths(batch: Batch, put: Put): void {
  const sum = [0, 0];
  const count = [0, 0];
  for (let i = 0; i < batch.B; i++) {
    sum[batch.success[i]!]! += batch.length[i]!;
    count[batch.success[i]!]!++;
  }
  put('success', count[1]! / batch.B);
  put('lengthMean', (sum[0]! + sum[1]!) / batch.B);
  put('lengthFailure', count[0]! > 0 ? sum[0]! / count[0]! : NaN);
  put('lengthSuccess', count[1]! > 0 ? sum[1]! / count[1]! : NaN);
}

/** What an update did: sums of its optimizer steps and of the look at its end, gradient norm, number of steps. */
export type Done = {
  readonly learned: Tally;
  readonly end: Tally;
  /** true if the look at the end compared with the reference */
  readonly compares: boolean;
  readonly gradNorm: number;
  readonly optimizerSteps: number;
};

/** How the ratios of a batch stand: [S, B, T] Δ of each step, A of the replica, units of a step (flat index). */
export type Ratios = {
  readonly delta: Float32Array;
  readonly A: Float32Array;
  unitsAt(step: number): number;
};

/** Metrics of the update: means over its optimizer steps, and ratios of the whole batch at its end. */
export function recordUpdate(
  plan: Plan,
  batch: Batch,
  ratios: Ratios,
  { learned, end, compares, gradNorm, optimizerSteps }: Done,
  metrics: Float64Array,
  s: number,
): void {
  const put = putInto(metrics, s);
  const { B, T } = plan;
  const { batch: own, rows } = ownPart(batch);
  const perTrajectory = logWeights(plan, batch, ratios.delta, Uint32Array.from(rows), s);
  const perStep = new Float64Array(end.steps);
  const perUnit = { A: new Float64Array(end.steps), logp: new Float64Array(end.steps), n: new Float64Array(end.steps) };
  let k = 0;
  for (const i of rows) {
    for (let t = 0; t < batch.length[i]!; t++, k++) {
      const at = i * T + t;
      perStep[k] = ratios.delta[s * B * T + at]!;
      perUnit.A[k] = ratios.A[at]!;
      perUnit.logp[k] = batch.logp[at]! + perStep[k]!;
      perUnit.n[k] = ratios.unitsAt(s * B * T + at);
    }
  }
  const ess = essFromLogWeights(perTrajectory);
  put('ess', ess);
  put('essStep', essFromLogWeights(perStep));
  put('essClipped', essClipped(perTrajectory, log(WEIGHT_CAP)));
  put('essGroup', essOfGroups(perTrajectory, groupsOf(own)));
  put('maxShare', largestShare(perTrajectory));
  put('weightMean', meanWeight(perTrajectory));
  put('lrFactor', essLearningRateFactor(ess, 1));
  put('approxKL', end.approxKL / end.units);
  put('k1', -end.delta / end.units);
  put('k2', end.deltaSquares / 2 / end.units);
  put('ratioMax', end.ratioMax);
  put('ratioMean', end.ratio / end.units);
  put('clipFraction', (end.clips[CLIP.high]! + end.clips[CLIP.low]! + end.clips[CLIP.dual]!) / end.units);
  put('clipHigh', end.clips[CLIP.high]! / end.units);
  put('clipLow', end.clips[CLIP.low]! / end.units);
  put('clipDual', end.clips[CLIP.dual]! / end.units);
  put('clipOutside', end.outside / end.units);
  put('cov', covariance(perUnit.A, perUnit.logp, perUnit.n));
  put('gradNorm', gradNorm);
  put('policyLoss', learned.policyLoss / optimizerSteps);
  put('valueLoss', plan.critic ? learned.valueLoss / optimizerSteps : NaN);
  put('klRef', compares ? end.klRef / end.steps : NaN);
}

/** The same look before the first optimizer step, at the trajectories that train: what is stale or was sampled otherwise. */
export function recordStart(
  plan: Plan,
  batch: Batch,
  delta: Float32Array,
  trajectories: Uint32Array,
  start: Pick<Tally, 'approxKL' | 'units'>,
  metrics: Float64Array,
  s: number,
): void {
  const put = putInto(metrics, s);
  const own = trajectories.filter((i) => batch.demo?.[i] !== 1);
  put('essStart', essFromLogWeights(logWeights(plan, batch, delta, own, s)));
  put('klStart', start.approxKL / start.units);
}

/** Σ_t Δ of each trajectory. */
function logWeights(
  { B, T }: Plan,
  batch: Batch,
  delta: Float32Array,
  trajectories: Uint32Array,
  s: number,
): Float64Array {
  return Float64Array.from(trajectories, (i) => {
    let sum = 0;
    for (let t = 0; t < batch.length[i]!; t++) sum += delta[(s * B + i) * T + t]!;
    return sum;
  });
}

/**
 * Where the weights of a replica went, and how its last gradient lies to the one before. `last` and `lastGradient` are
 * brought up to now; a gradient of zeros stands for none.
 */
export function recordWeights(
  theta: Float32Array,
  last: Float32Array,
  gradient: Float32Array,
  lastGradient: Float32Array,
  metrics: Float64Array,
  s: number,
): void {
  const put = putInto(metrics, s);
  let moved = 0;
  let size = 0;
  let dot = 0;
  let now = 0;
  let before = 0;
  for (let k = 0; k < theta.length; k++) {
    moved += (theta[k]! - last[k]!) * (theta[k]! - last[k]!);
    size += theta[k]! * theta[k]!;
    dot += gradient[k]! * lastGradient[k]!;
    now += gradient[k]! * gradient[k]!;
    before += lastGradient[k]! * lastGradient[k]!;
  }
  last.set(theta);
  lastGradient.set(gradient);
  putWeights(put, { moved, size, dot, now, before });
}

/** Sums over weights and gradients: Σ(θ − θ_old)², Σθ², Σ g·g_old, Σg², Σg_old². */
export type WeightSums = { moved: number; size: number; dot: number; now: number; before: number };

export function putWeights(put: Put, { moved, size, dot, now, before }: WeightSums): void {
  put('updateNorm', Math.sqrt(moved));
  put('weightNorm', Math.sqrt(size));
  put('updateShare', size > 0 ? Math.sqrt(moved / size) : NaN);
  put('gradTurn', now > 0 && before > 0 ? dot / Math.sqrt(now * before) : NaN);
}
