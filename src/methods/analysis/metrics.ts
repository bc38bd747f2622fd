/** One number per update and replica. The order of this list is the order of the metric record on CPU and GPU. */
export type Metric = {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  /** definition, one sentence */
  readonly doc: string;
  /** what good and bad look like, one sentence */
  readonly look: string;
  readonly range?: readonly [number, number];
};

const define = <const M extends readonly Metric[]>(list: M): M => list;

export const metrics = define([
  {
    id: 'success',
    title: 'Success',
    unit: 'share of episodes',
    doc: 'Successful episodes divided by episodes in the training batch.',
    look: 'Rises towards 1. A flat line at 0 means that no episode of any group has found the goal yet.',
    range: [0, 1],
  },
  {
    id: 'evalSuccess',
    title: 'Evaluation success',
    unit: 'share of episodes',
    doc: 'Success on separate evaluation episodes that never train; measured every few updates.',
    look: 'Follows the training success; a gap means that the policy fits its training levels only.',
    range: [0, 1],
  },
  {
    id: 'returnMean',
    title: 'Return',
    unit: 'reward per episode',
    doc: 'Mean undiscounted return R of the batch.',
    look: 'Rises with success; falls when penalties pile up.',
  },
  {
    id: 'lengthMean',
    title: 'Episode length',
    unit: 'steps',
    doc: 'Mean number of steps an episode took.',
    look: 'Falls towards the shortest path as the policy learns.',
  },
  {
    id: 'entropy',
    title: 'Policy entropy',
    unit: 'nats',
    doc: 'Mean over real steps of −Σ π log π of the sampling policy.',
    look: 'Falls slowly while success rises. A sudden drop to 0 before success means premature certainty.',
  },
  {
    id: 'ess',
    title: 'Effective sample size',
    unit: 'share of trajectories',
    doc: '(Σw)² / (n Σw²) with trajectory weights w = Π ρ after the update.',
    look: '1 = all trajectories count equally. Below 0.3 a few trajectories decide everything.',
    range: [0, 1],
  },
  {
    id: 'essStep',
    title: 'Effective sample size, steps',
    unit: 'share of steps',
    doc: 'The same over single steps, weights ρ.',
    look: 'Much larger than the trajectory form; the gap grows with the horizon.',
    range: [0, 1],
  },
  {
    id: 'approxKL',
    title: 'KL of the update',
    unit: 'nats',
    doc: 'Mean of ρ − 1 − log ρ over sampled steps after the update: estimates KL(π_old‖π_θ).',
    look: 'Small and steady. Spikes mean that an update went too far.',
  },
  {
    id: 'ratioMax',
    title: 'Largest ratio',
    unit: 'ρ',
    doc: 'Largest importance ratio ρ of the batch after the update.',
    look: 'Close to 1 for careful updates.',
  },
  {
    id: 'clipFraction',
    title: 'Clip fraction',
    unit: 'share of steps',
    doc: 'Steps without gradient because the ratio clip stopped them; after the update.',
    look: 'Zero with one epoch on fresh data. 5–20 % is usual with several epochs.',
    range: [0, 1],
  },
  {
    id: 'gradNorm',
    title: 'Gradient norm',
    unit: 'L2',
    doc: 'Norm of the gradient before clipping, mean over the optimizer steps of the update.',
    look: 'Steady. Ten times its usual size announces trouble.',
  },
  {
    id: 'degenerate',
    title: 'Groups that agree',
    unit: 'share of groups',
    doc: 'Task groups whose returns are all equal, divided by all groups.',
    look: 'Outcome-only estimators learn nothing from these groups.',
    range: [0, 1],
  },
  {
    id: 'anchorShare',
    title: 'Steps in anchor groups',
    unit: 'share of steps',
    doc: 'Steps whose state occurs at least twice in the task group.',
    look: 'High in small worlds: step-level comparison is possible nearly everywhere.',
    range: [0, 1],
  },
  {
    id: 'creditRms',
    title: 'Credit size',
    unit: 'RMS of A',
    doc: 'Root mean square of the advantage over real steps.',
    look: 'Near 1 with normalization; 0 when nothing can be learned.',
  },
  {
    id: 'policyLoss',
    title: 'Policy loss',
    unit: 'loss',
    doc: 'Objective before entropy, KL and value terms, mean over the optimizer steps.',
    look: 'Its value says little; sudden jumps matter.',
  },
  {
    id: 'valueLoss',
    title: 'Value loss',
    unit: 'loss',
    doc: 'Squared error of the critic, mean over the optimizer steps; 0 without a critic.',
    look: 'Falls as the critic learns, rises when the policy changes.',
  },
  {
    id: 'klRef',
    title: 'KL to the reference',
    unit: 'nats',
    doc: 'Exact KL(π_θ‖π_ref) averaged over steps, when the KL term is on; else 0.',
    look: 'Grows as the policy leaves its start; the coefficient holds it back.',
  },
  {
    id: 'pairAccuracy',
    title: 'Pairs ranked rightly',
    unit: 'share of pairs',
    doc: 'Pairs of a success and a failure of one task that the process model, not yet trained on them, ranks rightly.',
    look: 'At 0 while the model still is the policy, then near 1: its step rewards mean something. Empty without a model.',
    range: [0, 1],
  },
  {
    id: 'pairLoss',
    title: 'Preference loss',
    unit: 'nats',
    doc: 'Mean of −log σ(q⁺ − q⁻) over these pairs; q is a trajectory’s score by the process model.',
    look: 'Starts at log 2 = 0.69 and falls as successes and failures are told apart.',
  },
]);

export type MetricId = (typeof metrics)[number]['id'];
export const METRICS = metrics.length;
/** Column of a metric in the record. */
export const metricIndex = Object.fromEntries(metrics.map((m, k) => [m.id, k])) as Record<MetricId, number>;
