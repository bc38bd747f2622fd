import { dataMetrics } from './dataMetrics.ts';
import type { BatchField } from '../../contract/columns.ts';
import { chosenMetrics } from './chosen.ts';
import { chosenOf } from '../../contract/module.ts';
import { defineMetrics, type ChosenMetric, type Metric } from './types.ts';
import { learningMetrics } from './learningMetrics.ts';
import { budgetMetrics } from './budgetMetrics.ts';
import { peerMetrics } from './peerMetrics.ts';
import { roundMetrics } from './roundMetrics.ts';
import { subgoalMetrics } from './subgoalMetrics.ts';
import { taskMetrics } from './taskMetrics.ts';
import { isDegenerate, sum } from '../../core/stats.ts';
import { CLIP } from '../../core/math/clip.ts';
import { anchorShare } from './anchor.ts';
import { essFromLogWeights } from '../../core/math/ess.ts';
import { winsOf } from './lengths.ts';

export type { ChosenMetric, Metric, MetricGroup } from './types.ts';

/** What every run measures, one number per update and replica, in the order of the metric record on CPU and GPU. */
const always = defineMetrics([
  {
    id: 'success',
    title: 'Training success',
    group: 'live',
    unit: 'share of episodes',
    doc: 'Share of the training batch’s episodes that succeed: the policy explores, and learns from them.',
    look: 'Rises toward 1. A flat line at 0 means that no episode of any group has found the goal yet.',
    range: [0, 1],
    batch: ({ batch }) => winsOf(batch) / batch.B,
    gpu: ({ batch, credit }) => batch.wins / credit.own,
  },
  {
    id: 'evalSuccess',
    title: 'Evaluation success',
    group: 'live',
    unit: 'share of episodes',
    doc: 'Success on separate episodes that are never trained on, measured every few updates; it decides which checkpoint is best.',
    look: 'Follows training success; a gap means that the policy fits only its training levels.',
    range: [0, 1],
    isBefore: true,
    needs: [{ setting: 'analysis.evalEvery', above: 0 }],
    gpu: ({ eval: { wins } }, { evaluated, B }) => (evaluated ? wins / B : NaN),
  },
  {
    id: 'heldOutSuccess',
    title: 'Held-out success',
    group: 'live',
    unit: 'share of episodes',
    doc: 'Success on fixed levels that are never trained on, at the same updates as the evaluation; a gap where it is off.',
    look: 'Near the evaluation when the policy learns the task. If it falls behind, the policy is memorizing its levels.',
    range: [0, 1],
    isBefore: true,
    needs: [
      { setting: 'analysis.evalEvery', above: 0 },
      { setting: 'analysis.heldOut', is: [true] },
    ],
    gpu: ({ panel: { wins } }, { evaluated, heldOut, B }) => (evaluated && heldOut ? wins / B : NaN),
  },
  {
    id: 'returnMean',
    title: 'Return',
    group: 'live',
    unit: 'reward per episode',
    doc: 'Mean undiscounted return R of the batch.',
    look: 'Rises with success; falls when penalties pile up.',
    batch: ({ batch: { B, outcome } }) => sum(outcome) / B,
    gpu: ({ batch, credit }) => batch.returns / credit.own,
  },
  {
    id: 'lengthMean',
    title: 'Episode length',
    group: 'live',
    unit: 'steps',
    doc: 'Mean number of steps an episode took.',
    look: 'Falls toward the shortest path as the policy learns.',
    batch: ({ batch: { B, length } }) => sum(length) / B,
    gpu: ({ batch, credit }) => batch.steps / credit.own,
  },
  {
    id: 'entropy',
    title: 'Policy entropy',
    group: 'live',
    unit: 'nats',
    doc: 'Mean over real steps of −Σ π log π of the policy that trains, before its first step of the update.',
    look: 'Falls slowly while success rises. A sudden drop to 0 before any success means that the policy became certain too early.',
    policy: ({ H }) => H,
    gpu: (_, { H }) => H,
  },
  {
    id: 'ess',
    title: 'Effective sample size',
    group: 'live',
    unit: 'share of trajectories',
    doc: '(Σw)² / (n Σw²) with trajectory weights w = Π ρ after the update; an episode and its forks count once.',
    look: '1 = all trajectories count equally. Below 0.3 a few trajectories decide everything.',
    range: [0, 1],
    update: ({ ess }) => ess,
    gpu: ({ ratios }) => ratios.ess,
  },
  {
    id: 'essStep',
    title: 'Effective sample size, steps',
    group: 'data',
    unit: 'share of steps',
    doc: 'The same over single steps, with weights ρ.',
    look: 'Much larger than over trajectories; the gap grows with the horizon.',
    range: [0, 1],
    update: ({ perStep }) => essFromLogWeights(perStep),
    gpu: ({ update }) => update.essStep,
  },
  {
    id: 'approxKL',
    title: 'KL of the update',
    group: 'live',
    unit: 'nats',
    doc: 'Mean of ρ − 1 − log ρ over sampled steps after the update: estimates KL(π_old‖π_θ).',
    look: 'Small and steady. Spikes mean that an update went too far.',
    update: ({ end }) => end.approxKL / end.units,
    gpu: ({ update, ratios }) => update.k3 / ratios.units,
  },
  {
    id: 'ratioMax',
    title: 'Largest ratio',
    group: 'data',
    unit: 'ρ',
    doc: 'Largest importance ratio ρ of the batch after the update.',
    look: 'Close to 1 for careful updates.',
    update: ({ end }) => end.ratioMax,
    gpu: ({ update }) => update.ratioMax,
  },
  {
    id: 'clipFraction',
    title: 'Clip fraction',
    group: 'live',
    unit: 'share of units',
    doc: 'Units whose gradient the ratio clip stopped, or, without a clip, those that 0.8 and 1.28 would stop; after the update.',
    look: 'Zero with one epoch on fresh data. 5–20 % is usual with several epochs.',
    range: [0, 1],
    update: ({ end: { clips, units } }) => (clips[CLIP.high]! + clips[CLIP.low]! + clips[CLIP.dual]!) / units,
    gpu: ({ ratios: { high, low, dual, units } }) => (high + low + dual) / units,
  },
  {
    id: 'gradNorm',
    title: 'Gradient norm',
    group: 'live',
    unit: 'L2',
    doc: 'Norm of the gradient before clipping, mean over the optimizer steps of the update.',
    look: 'Steady. Ten times its usual size signals trouble.',
    update: ({ gradNorm }) => gradNorm,
    gpu: ({ norms }, { taken }) => norms.norm / taken,
  },
  {
    id: 'degenerate',
    title: 'Groups that agree',
    group: 'live',
    unit: 'share of groups',
    doc: 'Task groups whose returns are all equal, divided by all groups.',
    look: 'Estimators that only see outcomes learn nothing from these groups.',
    range: [0, 1],
    batch: ({ batch: { outcome }, groups }) =>
      groups.filter((g) => isDegenerate(g.map((i) => outcome[i]!))).length / groups.length,
    gpu: ({ batch }, { P }) => batch.agree / P,
  },
  {
    id: 'anchorShare',
    title: 'Steps in anchor groups',
    group: 'structure',
    unit: 'share of steps',
    doc: 'Steps whose state occurs at least twice in the task group.',
    look: 'High in small worlds: steps can be compared nearly everywhere.',
    range: [0, 1],
    batch: ({ batch }) => anchorShare(batch),
    gpu: ({ batch }) => batch.anchored / batch.steps,
  },
  {
    id: 'creditRms',
    title: 'Credit size',
    group: 'credit',
    unit: 'RMS of A',
    doc: 'Root mean square of the advantage over real steps.',
    look: 'Near 1 with normalization; 0 when nothing can be learned.',
    batch: ({ credit }) => Math.sqrt(credit.reduce((squares, a) => squares + a * a, 0) / credit.length),
    gpu: ({ rms }) => rms.rms,
  },
  {
    id: 'policyLoss',
    title: 'Policy loss',
    group: 'optimizer',
    unit: 'loss',
    doc: 'Objective before entropy, KL and value terms, mean over the optimizer steps.',
    look: 'The value itself says little; sudden jumps matter.',
    update: ({ learned, optimizerSteps }) => learned.policyLoss / optimizerSteps,
    gpu: ({ losses }, { looks }) => losses.policy / looks,
  },
  {
    id: 'valueLoss',
    title: 'Value loss',
    group: 'optimizer',
    unit: 'loss',
    doc: 'Squared error of the critic, mean over the optimizer steps; a gap without a critic.',
    look: 'Falls as the critic learns, rises when the policy changes.',
    update: ({ learned, optimizerSteps, critic }) => (critic ? learned.valueLoss / optimizerSteps : NaN),
    gpu: ({ losses }, { looks, values }) => (values > 0 ? losses.value / looks : NaN),
  },
  {
    id: 'klRef',
    title: 'KL to the reference',
    group: 'optimizer',
    unit: 'nats',
    doc: 'Exact KL(π_θ‖π_ref) averaged over steps, when the KL term is on; otherwise a gap.',
    look: 'Grows as the policy moves away from its start; the coefficient holds it back.',
    needs: [{ setting: 'objective.klCoef', above: 0 }],
    update: ({ end, compares }) => (compares ? end.klRef / end.steps : NaN),
    gpu: ({ update, batch }, { compares }) => (compares ? update.klRef / batch.steps : NaN),
  },
  {
    id: 'pairAccuracy',
    title: 'Pairs ranked correctly',
    group: 'credit',
    unit: 'share of pairs',
    doc: 'Share of the pairs of a success and a failure of one task that the process model ranks correctly before training on them.',
    look: '0 while the model is still a copy of the policy, then near 1: its step rewards mean something. Empty without a model.',
    range: [0, 1],
    gpu: ({ extra: { pairs, ranked } }, { hasProcess }) => (hasProcess && pairs > 0 ? ranked : NaN),
  },
  {
    id: 'pairLoss',
    title: 'Preference loss',
    group: 'credit',
    unit: 'nats',
    doc: 'Mean of −log σ(q⁺ − q⁻) over these pairs; q is a trajectory’s score by the process model.',
    look: 'Starts at log 2 = 0.69 and falls as successes and failures are told apart.',
    gpu: ({ extra: { pairs, pairLoss } }, { hasProcess }) => (hasProcess && pairs > 0 ? pairLoss : NaN),
  },
  ...dataMetrics,
  ...learningMetrics,
  ...taskMetrics,
  ...roundMetrics,
  ...peerMetrics,
  ...subgoalMetrics,
  ...budgetMetrics,
]);

/** All of them, and after those what a config may switch on; in the order of the columns of curves and CSV. */
export const metrics = [...always, ...chosenMetrics] as const;

export type MetricId = (typeof metrics)[number]['id'];
/** Numbers of a replica in the record of an update, and in the curves of a run. */
export const METRICS = always.length;
export const CURVES = metrics.length;
/** Column of a metric in the curves; in the record, too, for what every run measures. */
export const metricIndex = Object.fromEntries(metrics.map((m, k) => [m.id, k])) as Record<MetricId, number>;

/** The metrics that this part of a config switches on, in the order of their columns. */
export const chosenIn = (analysis: Parameters<typeof chosenOf>[1]): readonly ChosenMetric[] =>
  chosenOf<ChosenMetric>(chosenMetrics, analysis).map(({ module }) => module);

export type Put = (id: MetricId, value: number) => void;

/** Writes numbers into the record of replica s. */
export const putInto =
  (record: Float64Array, s: number): Put =>
  (id, value) =>
    void (record[s * METRICS + metricIndex[id]] = value);

/** When a number is computed on the CPU path. */
export type Moment = 'batch' | 'policy' | 'start' | 'update' | 'weights' | 'gpu';
type Computed<M extends Moment> = readonly { readonly id: MetricId; readonly of: NonNullable<Metric[M]> }[];

/** The metrics that are computed at a moment, in the order of the record. */
export const metricsOf = <M extends Moment>(moment: M): Computed<M> =>
  (always as readonly Metric[]).flatMap((m) => {
    const of = m[moment];
    return of ? [{ id: m.id as MetricId, of: of as NonNullable<Metric[M]> }] : [];
  });

/** A metric of the finished batch that has no WebGPU form, and the columns that it reads. */
export type ReadMetric = Computed<'batch'>[number] & Pick<Metric, 'needs'> & { readonly reads: readonly BatchField[] };

/** Metrics that make a run on WebGPU wait for a read-back in every update, where it has what they need. */
export function metricsReadBack(chosen: readonly ChosenMetric[]): readonly ReadMetric[] {
  const all: readonly Metric[] = [...always, ...chosen];
  return all.flatMap(({ id, batch, gpu, reads = [], needs = [] }) =>
    batch && !gpu ? [{ id: id as MetricId, of: batch, reads, needs }] : [],
  );
}

/** [S] of each metric that a config switches on, by id. */
export type ChosenNumbers = Readonly<Record<string, Float64Array>>;

/** The same before anything is measured; null where nothing is switched on. */
export function unmeasured(chosen: readonly ChosenMetric[], S: number): ChosenNumbers | null {
  if (chosen.length === 0) return null;
  return Object.fromEntries(chosen.map(({ id }) => [id, new Float64Array(S).fill(NaN)]));
}

/** A writer of numbers of replica s: into the record, and those of chosen metrics into columns of their own. */
export function putBoth(
  { metrics: record, chosen = {} }: { readonly metrics: Float64Array; readonly chosen?: ChosenNumbers },
  s: number,
): Put {
  const put = putInto(record, s);
  return (id, value) => {
    const own = chosen[id];
    if (own) own[s] = value;
    else put(id, value);
  };
}
