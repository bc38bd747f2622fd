import { dataMetrics } from './dataMetrics.ts';
import { define } from './metric.ts';
import { learningMetrics } from './learningMetrics.ts';

export type { Metric, MetricGroup } from './metric.ts';

/** One number per update and replica. The order of this list is the order of the metric record on CPU and GPU. */
export const metrics = define([
  {
    id: 'success',
    title: 'Success',
    group: 'live',
    unit: 'share of episodes',
    doc: 'Successful episodes divided by episodes in the training batch.',
    look: 'Rises towards 1. A flat line at 0 means that no episode of any group has found the goal yet.',
    range: [0, 1],
  },
  {
    id: 'evalSuccess',
    title: 'Evaluation success',
    group: 'live',
    unit: 'share of episodes',
    doc: 'Success on separate evaluation episodes that never train; measured every few updates.',
    look: 'Follows the training success; a gap means that the policy fits its training levels only.',
    range: [0, 1],
    needs: [{ setting: 'analysis.evalEvery', above: 0 }],
  },
  {
    id: 'heldOutSuccess',
    title: 'Held-out success',
    group: 'live',
    unit: 'share of episodes',
    doc: 'Success on fixed levels of the task that never train, at the same updates as the evaluation; a gap where it is off.',
    look: 'Near the evaluation when the policy learns the task. Falling behind it, the policy learns its levels by heart.',
    range: [0, 1],
    needs: [
      { setting: 'analysis.evalEvery', above: 0 },
      { setting: 'analysis.heldOut', is: [true] },
    ],
  },
  {
    id: 'returnMean',
    title: 'Return',
    group: 'live',
    unit: 'reward per episode',
    doc: 'Mean undiscounted return R of the batch.',
    look: 'Rises with success; falls when penalties pile up.',
  },
  {
    id: 'lengthMean',
    title: 'Episode length',
    group: 'live',
    unit: 'steps',
    doc: 'Mean number of steps an episode took.',
    look: 'Falls towards the shortest path as the policy learns.',
  },
  {
    id: 'entropy',
    title: 'Policy entropy',
    group: 'live',
    unit: 'nats',
    doc: 'Mean over real steps of −Σ π log π of the policy that trains, before its first step of the update.',
    look: 'Falls slowly while success rises. A sudden drop to 0 before success means premature certainty.',
  },
  {
    id: 'ess',
    title: 'Effective sample size',
    group: 'live',
    unit: 'share of trajectories',
    doc: '(Σw)² / (n Σw²) with trajectory weights w = Π ρ after the update.',
    look: '1 = all trajectories count equally. Below 0.3 a few trajectories decide everything.',
    range: [0, 1],
  },
  {
    id: 'essStep',
    title: 'Effective sample size, steps',
    group: 'data',
    unit: 'share of steps',
    doc: 'The same over single steps, weights ρ.',
    look: 'Much larger than the trajectory form; the gap grows with the horizon.',
    range: [0, 1],
  },
  {
    id: 'approxKL',
    title: 'KL of the update',
    group: 'live',
    unit: 'nats',
    doc: 'Mean of ρ − 1 − log ρ over sampled steps after the update: estimates KL(π_old‖π_θ).',
    look: 'Small and steady. Spikes mean that an update went too far.',
  },
  {
    id: 'ratioMax',
    title: 'Largest ratio',
    group: 'data',
    unit: 'ρ',
    doc: 'Largest importance ratio ρ of the batch after the update.',
    look: 'Close to 1 for careful updates.',
  },
  {
    id: 'clipFraction',
    title: 'Clip fraction',
    group: 'live',
    unit: 'share of units',
    doc: 'Units whose gradient the ratio clip stopped, or without a clip those that 0.8 and 1.28 would stop; after the update.',
    look: 'Zero with one epoch on fresh data. 5–20 % is usual with several epochs.',
    range: [0, 1],
  },
  {
    id: 'gradNorm',
    title: 'Gradient norm',
    group: 'live',
    unit: 'L2',
    doc: 'Norm of the gradient before clipping, mean over the optimizer steps of the update.',
    look: 'Steady. Ten times its usual size announces trouble.',
  },
  {
    id: 'degenerate',
    title: 'Groups that agree',
    group: 'live',
    unit: 'share of groups',
    doc: 'Task groups whose returns are all equal, divided by all groups.',
    look: 'Outcome-only estimators learn nothing from these groups.',
    range: [0, 1],
  },
  {
    id: 'anchorShare',
    title: 'Steps in anchor groups',
    group: 'structure',
    unit: 'share of steps',
    doc: 'Steps whose state occurs at least twice in the task group.',
    look: 'High in small worlds: step-level comparison is possible nearly everywhere.',
    range: [0, 1],
  },
  {
    id: 'creditRms',
    title: 'Credit size',
    group: 'credit',
    unit: 'RMS of A',
    doc: 'Root mean square of the advantage over real steps.',
    look: 'Near 1 with normalization; 0 when nothing can be learned.',
  },
  {
    id: 'policyLoss',
    title: 'Policy loss',
    group: 'optimizer',
    unit: 'loss',
    doc: 'Objective before entropy, KL and value terms, mean over the optimizer steps.',
    look: 'Its value says little; sudden jumps matter.',
  },
  {
    id: 'valueLoss',
    title: 'Value loss',
    group: 'optimizer',
    unit: 'loss',
    doc: 'Squared error of the critic, mean over the optimizer steps; a gap without a critic.',
    look: 'Falls as the critic learns, rises when the policy changes.',
    needs: [{ setting: 'advantage.method', is: ['gae'] }],
  },
  {
    id: 'klRef',
    title: 'KL to the reference',
    group: 'optimizer',
    unit: 'nats',
    doc: 'Exact KL(π_θ‖π_ref) averaged over steps, when the KL term is on; else a gap.',
    look: 'Grows as the policy leaves its start; the coefficient holds it back.',
    needs: [{ setting: 'objective.klCoef', above: 0 }],
  },
  {
    id: 'pairAccuracy',
    title: 'Pairs ranked rightly',
    group: 'credit',
    unit: 'share of pairs',
    doc: 'Pairs of a success and a failure of one task that the process model, not yet trained on them, ranks rightly.',
    look: 'At 0 while the model still is the policy, then near 1: its step rewards mean something. Empty without a model.',
    range: [0, 1],
    needs: [{ setting: 'advantage.method', is: ['oprl'] }],
  },
  {
    id: 'pairLoss',
    title: 'Preference loss',
    group: 'credit',
    unit: 'nats',
    doc: 'Mean of −log σ(q⁺ − q⁻) over these pairs; q is a trajectory’s score by the process model.',
    look: 'Starts at log 2 = 0.69 and falls as successes and failures are told apart.',
    needs: [{ setting: 'advantage.method', is: ['oprl'] }],
  },
  ...dataMetrics,
  ...learningMetrics,
]);

export type MetricId = (typeof metrics)[number]['id'];
export const METRICS = metrics.length;
/** Column of a metric in the record. */
export const metricIndex = Object.fromEntries(metrics.map((m, k) => [m.id, k])) as Record<MetricId, number>;

export type Put = (id: MetricId, value: number) => void;

/** Writes numbers into the record of replica s. */
export const putInto =
  (record: Float64Array, s: number): Put =>
  (id, value) =>
    void (record[s * METRICS + metricIndex[id]] = value);
