import type { Batch } from '../../contract/columns.ts';
import { fillSteps, groupsOf } from '../../core/batch.ts';
import { settings } from '../../core/settings.ts';
import { isDegenerate, sum } from '../../core/stats.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { after, outcomesOf, show } from './explain.ts';
import { outcomeOnGpu, type Singleton } from './trajectoryCredit.ts';

type Lengths = Pick<Batch, 'T' | 'length' | 'units'>;

/** Units that trajectory i trains: its steps, or the words that it wrote in them. */
function unitsOf({ T, length, units }: Lengths, i: number): number {
  return units ? sum(units.subarray(i * T, i * T + length[i]!)) : length[i]!;
}

/** Σ T_j·R_j / Σ T_j over a set of trajectories. */
function baseline(batch: Lengths & Pick<Batch, 'outcome'>, set: readonly number[]): number {
  const weight = set.map((j) => unitsOf(batch, j));
  return sum(set.map((j, k) => weight[k]! * batch.outcome[j]!)) / sum(weight);
}

function credit(batch: Batch, singleton: Singleton): Float32Array {
  const A = new Float32Array(batch.B * batch.T);
  for (const group of groupsOf(batch)) {
    const R = group.map((i) => batch.outcome[i]!);
    const isGiven = group.length === 1 && singleton === 'return';
    if (isDegenerate(R) && !isGiven) continue;
    const b = isGiven ? 0 : baseline(batch, group);
    group.forEach((i, k) => fillSteps(A, batch, i, R[k]! - b));
  }
  return A;
}

/**
 * On-policy RL with the optimal baseline, simplified to lengths: the mean of the group weighs by length, no spread.
 *
 *   A[i,t] = R[i] − Σ_j T_j·R[j] / Σ_j T_j     over the members j of i's task group, T_j the units that j trains
 *
 * Units are steps, or words where the policy writes them. Credit of all units of a group adds up to 0. A group that agrees
 * gets 0; a group of one too, or with `singleton` its return, as in verl.
 */
export const opo = defineEstimator({
  id: 'opo',
  title: 'OPO',
  rev: 1,
  source: { title: 'On-Policy RL with Optimal Reward Baseline', arxiv: '2505.23585', level: 'code' },
  needs: ['outcome', 'taskIndex', 'length', 'units'],
  formula: 'A[i,t] = R[i] − Σ T·R / Σ T over the task group',
  look: 'Where failures run to the step limit, short successes get more credit than under a plain mean, failures less.',
  comparesOutcomes: true,
  params: settings({ singleton: common.singleton }),
  alone: ({ singleton }) => (singleton === 'return' ? 'anyway' : 'nothing'),
  run: (batch, { singleton }) => ({ A: credit(batch, singleton) }),
  scratch: () => 1,
  gpu(ops, { singleton }) {
    if (singleton === 'zero') return { A: outcomeOnGpu(ops, 'mean', 'steps', singleton) };
    const compared = ops.normalize(ops.outcome, 'task', 'mean', 'steps');
    return { A: ops.combine(1, compared, 1, ops.normalize(ops.outcome, 'task', 'alone')) };
  },
  explain(batch, { singleton }, step) {
    const i = Math.floor(step / batch.T);
    const value = credit(batch, singleton)[step]!;
    const compared = outcomesOf(batch, i);
    const R = batch.outcome[i]!;
    const b = baseline(batch, compared.members);
    const agrees = isDegenerate(compared.values);
    return {
      terms: [
        {
          name: 'outcome',
          value,
          formula: 'R − Σ T·R / Σ T',
          filled: agrees ? `nothing to compare with: ${show(value)}` : `${show(R)} − ${after(b)} = ${show(value)}`,
          quantities: [
            { symbol: 'R', value: R, what: 'return of this episode' },
            {
              symbol: 'Σ T·R / Σ T',
              value: b,
              what: 'mean over the episodes of this task, each weighed by its length',
            },
            { symbol: 'T', value: unitsOf(batch, i), what: 'length of this episode' },
          ],
          compared,
        },
      ],
    };
  },
});
