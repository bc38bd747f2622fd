import type { Batch } from '../../contract/columns.ts';
import { fillSteps, groupsOf } from '../../core/batch.ts';
import { exp, log } from '../../core/fmath.ts';
import { mean, normalize } from '../../core/stats.ts';
import { settings } from '../../core/settings.ts';
import { defineEstimator, type Rows } from '../types.ts';
import { common } from './common.ts';
import { answersOf } from './endShares.ts';
import { compareSet } from './trajectoryCredit.ts';

const params = settings({
  gain: {
    kind: 'number',
    label: 'Gain',
    default: 20,
    min: 0,
    max: 100,
    doc: 'How sharply the weight switches between comparing within groups and between them.',
  },
  threshold: {
    kind: 'number',
    label: 'Switch at',
    default: 0.55,
    min: 0,
    max: 1,
    doc: 'Share of the largest possible entropy at which both parts weigh the same.',
    formula: 'ρ = share · ln G',
  },
  rows: common.rows,
});

type Consistency = {
  readonly A: Float32Array;
  readonly local: Float32Array;
  readonly global: Float32Array;
  /** [P] by task index */
  readonly perTask: {
    readonly entropy: Float64Array;
    readonly weightLocal: Float64Array;
    readonly global: Float64Array;
  };
};

/**
 * A group whose answers agree is compared with other groups, a group that disagrees with itself.
 *
 *   A[i,t] = w[g]·Normalize(R over the task group) + (1 − w[g])·Normalize(R̄ over the P groups)
 *   w[g]   = σ(gain·(H[g] − ρ)),   H[g] = −Σ_a p_a ln p_a over the different answers of the group
 *
 * The answer is the state in which an episode ended; R̄ is the mean outcome of a group (inferred: the descriptions that
 * were read do not say). `rows` acts inside the group; R̄ counts each episode once. A group that failed as one still learns, unless all groups agree.
 */
export const copo = defineEstimator({
  id: 'copo',
  title: 'COPO',
  rev: 1,
  source: { title: 'Consistency-Aware Policy Optimization', arxiv: '2508.04138', level: 'digest' },
  needs: ['outcome', 'taskIndex', 'length', 'finalStateKey'],
  formula: 'A = w · normalize(R over the group) + (1 − w) · normalize(mean R over the groups), w = σ(gain · (H − ρ))',
  look: 'Groups in which everything fails are pushed away instead of ignored; watch whether the entropy rises.',
  params,
  parts: ['local', 'global'],
  alone: (_, tasks) => (tasks > 1 ? 'anyway' : 'nothing'),
  run(batch, { gain, threshold, rows }) {
    const { A, local, global } = consistencyCredit(batch, gain, threshold * log(Math.max(1, batch.G)), rows);
    return { A, parts: { local, global } };
  },
  scratch: () => 3,
  gpu(ops, { gain, threshold, rows }) {
    const rho = threshold * log(Math.max(1, ops.groupSize));
    // the mean of ln p over the members of a group is −H
    const negative = ops.normalize(ops.map('log', ops.endShare()), 'task', 'average');
    const inside = ops.normalize(ops.outcome, 'task', 'std', rows);
    const local = ops.combine(0, inside, 0, ops.map('logistic', negative, -gain, -gain * rho), 1);
    const between = ops.normalizeMeans(ops.outcome);
    // 1 − σ(x) = σ(−x)
    const global = ops.combine(0, between, 0, ops.map('logistic', negative, gain, gain * rho), 1);
    return { A: ops.combine(1, local, 1, global), parts: { local, global } };
  },
});

/** Both weighted parts, with ρ in nats. */
export function consistencyCredit(
  batch: Pick<Batch, 'P' | 'B' | 'T' | 'length' | 'taskIndex' | 'outcome' | 'finalStateKey'>,
  gain: number,
  rho: number,
  rows: Rows = 'trajectories',
): Consistency {
  const groups = groupsOf(batch);
  const between = normalize(groups.map((group) => mean(group.map((i) => batch.outcome[i]!))));
  const size = batch.B * batch.T;
  const [A, local, global] = [new Float32Array(size), new Float32Array(size), new Float32Array(size)];
  const perTask = {
    entropy: new Float64Array(batch.P),
    weightLocal: new Float64Array(batch.P),
    global: new Float64Array(batch.P),
  };
  groups.forEach((group, at) => {
    const H = answerEntropy(batch, group);
    const w = 1 / (1 + exp(-gain * (H - rho)));
    const inside = compareSet(batch, group, (R) => normalize(R), rows);
    const outside = (1 - w) * between[at]!;
    group.forEach((i, k) => {
      fillSteps(local, batch, i, w * inside[k]!);
      fillSteps(global, batch, i, outside);
      fillSteps(A, batch, i, w * inside[k]! + outside);
    });
    const g = batch.taskIndex[group[0]!]!;
    perTask.entropy[g] = H;
    perTask.weightLocal[g] = w;
    perTask.global[g] = between[at]!;
  });
  return { A, local, global, perTask };
}

/** Entropy in nats of the final states of a group. */
function answerEntropy(batch: Pick<Batch, 'finalStateKey'>, group: readonly number[]): number {
  let H = 0;
  for (const n of answersOf(batch, group).values()) H -= (n / group.length) * log(n / group.length);
  return Math.max(0, H);
}
