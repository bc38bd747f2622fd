import { isMeasured } from '../../contract/rows.ts';
import { part, type Batch } from '../../contract/columns.ts';
import { groupsOf, stepsOf } from '../../core/batch.ts';
import { groupShares } from '../../core/math/creditStats.ts';
import { essFromLogWeights } from '../../core/math/ess.ts';
import type { Moved, WeightSums } from '../../core/math/weightSums.ts';
import type { Kernels } from '../../networks/kernels.ts';
import type { BatchSeen, UpdateSeen } from '../../slots/metrics/types.ts';
import { metricsOf, putInto, type ChosenNumbers, type Put } from '../../slots/metrics/metrics.ts';
import { samplesOf } from '../independent.ts';
import { measuredPart, partOf } from '../measuredPart.ts';
import type { Plan } from '../plan.ts';
import type { Arrays } from '../arrays.ts';
import type { CpuPolicy, Seen, Tally } from './policy.ts';
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

/** What a backend has made of its batches: arrays of all replicas. */
type Made = { readonly plan: Plan; readonly policy: CpuPolicy; readonly arrays: Arrays; readonly target: Float32Array };

/** Replica s of it, with this credit. */
export function judgedOf({ plan, policy, arrays, target }: Made, s: number, A: Float32Array): Judged {
  const steps = plan.B * plan.T;
  let decisions = 0;
  for (let row = s * plan.B; row < (s + 1) * plan.B; row++)
    if (isMeasured(arrays, row)) decisions += policy.unitsOf(arrays, row);
  return {
    A,
    target: plan.critic ? target.subarray(s * steps, (s + 1) * steps) : null,
    probs: arrays.probs.subarray(s * steps * plan.actions, (s + 1) * steps * plan.actions),
    legal: arrays.legal.subarray(s * steps, (s + 1) * steps),
    valueHeads: part(arrays.valueHeads, plan.S, s),
    command: part(arrays.command, plan.S, s),
    unitEntropy: part(arrays.unitEntropy, plan.S, s),
    decisions,
  };
}

const ofBatch = metricsOf('batch');
const ofStart = metricsOf('start');
const ofUpdate = metricsOf('update');
const ofWeights = metricsOf('weights');

/**
 * Metrics that only need the batch and its credit (definitions: slots/metrics/metrics.ts). They are about what the
 * policy played itself.
 */
export function recordBatch(plan: Plan, whole: Batch, judged: Judged, record: Measured, s: number): void {
  const { metrics, chosen } = record;
  const put = putInto(metrics, s);
  const seen = batchSeen(plan, whole, judged);
  for (const { id, of } of ofBatch) put(id, of(seen));
  for (const m of plan.chosenMetrics) chosen![m.id]![s] = m.batch(seen);
  recordEntropy(plan, whole, { ...judged, entropy: whole.entropy }, metrics, s);
}

/** The numbers of an update: [S, METRICS], and those that the config switched on. */
export type Measured = { readonly metrics: Float64Array; readonly chosen: ChosenNumbers | null };

/** The policy's own part of a batch, as metrics see it. */
export function batchSeen(plan: Plan, whole: Batch, judged: Pick<Judged, 'A' | 'target' | 'valueHeads'>): BatchSeen {
  const { batch, rows } = measuredPart(whole);
  const A = partOf(judged.A, plan.B, rows);
  const steps = stepsOf(
    batch,
    Array.from({ length: batch.B }, (_, i) => i),
  );
  return {
    ...{ batch, steps, A, groups: groupsOf(batch), shares: groupShares(batch, A) },
    credit: at(A, steps),
    target: judged.target && partOf(judged.target, plan.B, rows),
    heads: partOf(judged.valueHeads, plan.B, rows),
  };
}

/** The numbers at these places. `Float64Array.from` with a function takes ten times as long. */
function at(values: Float32Array, places: readonly number[]): Float64Array {
  const found = new Float64Array(places.length);
  for (let k = 0; k < places.length; k++) found[k] = values[places[k]!]!;
  return found;
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

/** How the ratios of the batch of replica s stand: [S, B, T] Δ of each step, A of the replica, units of a step (flat index). */
export type Ratios = {
  readonly s: number;
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
): void {
  const { s } = ratios;
  const put = putInto(metrics, s);
  const { B, T } = plan;
  const { batch: own, rows } = measuredPart(batch);
  const perTrajectory = logWeights(plan, batch, ratios, Uint32Array.from(rows));
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
  const { logWeights: perSample, groups } = samplesOf(batch, { rows, perTrajectory, groups: groupsOf(own) });
  const seen: UpdateSeen = {
    ...{ learned, end, compares, critic: plan.critic, gradNorm, optimizerSteps, perTrajectory, perStep },
    ...{ ess: essFromLogWeights(perSample), perSample, groups, ...perUnit },
  };
  for (const { id, of } of ofUpdate) put(id, of(seen));
}

/** The same look before the first optimizer step, at the trajectories that train: what is stale or was sampled otherwise. */
export function recordStart(
  plan: Plan,
  batch: Batch,
  ratios: Pick<Ratios, 's' | 'delta'>,
  { trajectories, approxKL, units }: Pick<Tally, 'approxKL' | 'units'> & { readonly trajectories: Uint32Array },
  metrics: Float64Array,
): void {
  const put = putInto(metrics, ratios.s);
  const rows = trajectories.filter((i) => isMeasured(batch, i));
  const perTrajectory = logWeights(plan, batch, ratios, rows);
  const { logWeights: perSample } = samplesOf(batch, { rows, perTrajectory, groups: [] });
  const seen = { ess: essFromLogWeights(perSample), approxKL, units };
  for (const { id, of } of ofStart) put(id, of(seen));
}

/** Σ_t Δ of each trajectory. */
function logWeights(
  { B, T }: Plan,
  batch: Batch,
  { s, delta }: Pick<Ratios, 's' | 'delta'>,
  trajectories: Uint32Array,
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
export function recordWeights(kernels: Kernels, moved: Moved, metrics: Float64Array, s: number): void {
  putWeights(putInto(metrics, s), kernels.weightSums(moved));
  moved.last.set(moved.theta);
  moved.lastGradient.set(moved.gradient);
}

export function putWeights(put: Put, sums: WeightSums): void {
  for (const { id, of } of ofWeights) put(id, of(sums));
}
