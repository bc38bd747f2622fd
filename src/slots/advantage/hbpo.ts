import type { Batch } from '../../contract/columns.ts';
import { groupsOf } from '../../core/batch.ts';
import { settings } from '../../core/settings.ts';
import { mean } from '../../core/stats.ts';
import { defineEstimator, type Term } from '../types.ts';
import { after, outcomeTerm, show } from './explain.ts';
import { given } from './given.ts';
import { outcomeCredit, outcomeOnGpu, sumOfParts } from './trajectoryCredit.ts';

/** Mean return of the members of each row's task group that have its budget, minus what keeping the budget just earns. */
function intraOf(batch: Batch): Float32Array {
  const { B, T, length, outcome } = batch;
  const kept = given(batch, 'budgetReward');
  const A = new Float32Array(B * T);
  for (const group of groupsOf(batch))
    for (const i of group)
      A.fill(mean(alike(group, kept, i).map((j) => outcome[j]!)) - kept[i]!, i * T, i * T + length[i]!);
  return A;
}

/** Members of a group with the budget of row i; f₂ falls with the budget, so equal f₂ is an equal budget. */
const alike = (group: readonly number[], kept: Float32Array, i: number): number[] =>
  group.filter((j) => kept[j] === kept[i]);

/**
 * Two comparisons (HBPO): the members of a group with the same budget with what that budget promises, and all members with
 * each other.
 *
 *   intra[i] = mean of R over the members with i's budget − f₂(b_i)       the same for all of them
 *   inter[i] = (R[i] − mean R) / std R over the task group
 *   A[i,t]   = intra[i] + inter[i]                                      a plain sum; the paper calls it normalized
 *
 * R is the reward “Success by budget”, which also says f₂.
 */
export const hbpo = defineEstimator({
  id: 'hbpo',
  title: 'HBPO',
  rev: 1,
  source: { title: 'Hierarchical Budget Policy Optimization', arxiv: '2507.15844', level: 'text' },
  needs: ['outcome', 'taskIndex', 'length', 'budgetReward'],
  finePrint: [
    {
      on: 'Sum of the two parts',
      paper: 'Called normalized; the formula is a plain sum.',
      code: 'Not read.',
      lab: 'A plain sum.',
    },
  ],
  formula: 'A = (mean R of equal budgets − f₂(b)) + (R − mean R)/std R of the task group',
  look: 'On easy levels tight budgets win inside a group, on hard ones generous budgets do.',
  params: settings({}),
  alone: () => 'anyway',
  parts: ['intra', 'inter'],
  run(batch) {
    const parts = { intra: intraOf(batch), inter: outcomeCredit(batch, 'std', 'trajectories') };
    return { A: sumOfParts(parts), parts };
  },
  scratch: () => 10,
  gpu(ops) {
    const kept = ops.column('budgetReward');
    const mine = ops.meanOver(ops.broadcast(ops.outcome), ops.setsBy(ops.broadcast(kept)), 'trajectory');
    const intra = ops.combine(1, mine, -1, kept);
    const inter = outcomeOnGpu(ops, 'std', 'trajectories', 'zero');
    return { A: ops.combine(1, intra, 1, inter), parts: { intra, inter } };
  },
  explain: (batch, _params, step) => ({
    terms: [intraTerm(batch, step), outcomeTerm('inter', batch, step, { rule: 'std', rows: 'trajectories' })],
  }),
});

function intraTerm(batch: Batch, step: number): Term {
  const i = Math.floor(step / batch.T);
  const kept = given(batch, 'budgetReward');
  const group = groupsOf(batch).find((members) => members.includes(i))!;
  const members = alike(group, kept, i);
  const values = members.map((j) => batch.outcome[j]!);
  const value = intraOf(batch)[step]!;
  return {
    name: 'intra',
    value,
    formula: 'mean R of this budget − f₂(b)',
    filled: `${show(mean(values))} − ${after(kept[i]!)} = ${show(value)}`,
    quantities: [
      {
        symbol: 'mean R of this budget',
        value: mean(values),
        what: 'over the episodes of this task with the same budget',
      },
      { symbol: 'f₂(b)', value: kept[i]!, what: 'reward of a success that just keeps this budget' },
    ],
    compared: { of: 'trajectories', members, values, at: members.indexOf(i) },
  };
}
