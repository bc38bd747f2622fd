import type { Batch } from '../../contract/columns.ts';
import { settings, type ValuesOf } from '../../core/settings.ts';
import { normalize } from '../../core/stats.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { comparedTerm, outcomesAt, outcomeTerm } from './explain.ts';
import { outcomeCredit, trajectoryCredit } from './trajectoryCredit.ts';

/** Trajectories whose credit is smaller are left out of the update. */
const LOOP_THRESHOLD = 0.01;

const params = settings({
  baseline: {
    kind: 'choice',
    label: 'Compare with',
    default: 'others',
    options: ['others', 'all'],
    optionLabels: ['the other members (leave one out)', 'all members (leave none out)'],
    doc: 'With itself among them, credit is smaller by (n − 1)/n in a group of n.',
  },
  divide: {
    kind: 'switch',
    label: 'Divide by the spread',
    default: false,
    doc: 'Divide by the spread of the group; the paper found that this hurts.',
  },
  rows: common.rows,
});

/**
 * The credit of LOOP: leave-one-out, not divided by the spread unless asked (population std).
 *
 *   A[i,t] = R[i] − mean of R over the other members of i's task group
 *
 * Leave-none-out, an option of the released code (apple/ml-loop), compares with the mean of the whole group instead.
 * As credit this is RLOO. What makes it LOOP is the objective: PPO's clip between 1/(1+ε) and 1+ε with ε = 0.1, several
 * epochs on the same batch, and leaving out trajectories with |A| < 0.01 (`keptTrajectories`).
 */
export const loop = defineEstimator({
  id: 'loop',
  title: 'LOOP',
  rev: 1,
  source: { title: 'RL for Long-Horizon Interactive LLM Agents', arxiv: '2502.01600', level: 'code' },
  needs: ['outcome', 'taskIndex', 'length'],
  formula: 'A[i,t] = R[i] − mean of R over the other members of the task group, or over all',
  look: 'The credit of RLOO. Use it with PPO clip and several epochs, and watch how the ratios spread.',
  params,
  alone: () => 'nothing',
  run(batch, values) {
    const A = creditOf(batch, values);
    return { A, keep: keptTrajectories(batch, A) };
  },
  explain(batch, values, step) {
    const { rows } = values;
    if (!isOverAll(values)) return { terms: [outcomeTerm('outcome', batch, step, { rule: ruleOf(values), rows })] };
    const compared = { ...outcomesAt(batch, rows, step), rule: 'std', isPopulation: true } as const;
    return { terms: [comparedTerm('outcome', creditOf(batch, values)[step]!, compared)] };
  },
  scratch: () => 1,
  // no operation divides by the spread over n without leaving one out
  onGpu: (values) => !isOverAll(values),
  gpu(ops, values) {
    const A = ops.normalize(ops.outcome, 'task', ruleOf(values), values.rows);
    return { A: ops.broadcast(A), keep: ops.threshold(A, LOOP_THRESHOLD) };
  },
});

type Values = ValuesOf<typeof params>;

const isOverAll = ({ baseline, divide }: Values): boolean => baseline === 'all' && divide;

const ruleOf = ({ baseline, divide }: Values) =>
  baseline === 'all' ? 'mean' : divide ? 'leaveOneOutStd' : 'leaveOneOut';

function creditOf(batch: Batch, values: Values): Float32Array {
  if (isOverAll(values)) return trajectoryCredit(batch, (R) => normalize(R, 'std', true), values.rows);
  return outcomeCredit(batch, ruleOf(values), values.rows);
}

/** [B] 1 = the trajectory takes part in the update: |A| ≥ threshold. */
export function keptTrajectories(
  batch: Pick<Batch, 'B' | 'T' | 'length'>,
  A: Float32Array,
  threshold = LOOP_THRESHOLD,
): Uint8Array {
  return Uint8Array.from({ length: batch.B }, (_, i) => (Math.abs(A[i * batch.T]!) < threshold ? 0 : 1));
}
