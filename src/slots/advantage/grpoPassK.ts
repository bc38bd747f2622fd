import type { Batch } from '../../contract/columns.ts';
import { fillSteps, groupsOf } from '../../core/batch.ts';
import { settings } from '../../core/settings.ts';
import { EPSILON, isDegenerate, std } from '../../core/stats.ts';
import { defineEstimator } from '../types.ts';
import { after, outcomesOf, show } from './explain.ts';
import { leads } from './leads.ts';

const params = settings({
  divide: {
    kind: 'switch',
    label: 'Divide by the spread',
    default: true,
    doc: 'Divide by the spread of the group; off, credit is what the best is ahead.',
  },
});

function credit(batch: Batch, divide: boolean): Float32Array {
  const A = new Float32Array(batch.B * batch.T);
  const lead = leads(batch, batch.outcome);
  for (const group of groupsOf(batch)) {
    const R = group.map((i) => batch.outcome[i]!);
    if (isDegenerate(R)) continue;
    const scale = divide ? 1 / (std(R) + EPSILON) : 1;
    for (const i of group) fillSteps(A, batch, i, lead[i]! * scale);
  }
  return A;
}

/**
 * What counts is the best of k attempts, so only the best of a group learns: from what it is ahead of the second.
 *
 *   A[i,t] = (R₍₁₎ − R₍₂₎) / (std R + 1e-6)   for the best of i's task group, 0 for all others
 *
 * Two equal best, a group that agrees, or a group of one: nobody learns. It always counts trajectories: as step rows those
 * of the best would tie with each other.
 */
export const grpoPassK = defineEstimator({
  id: 'grpoPassK',
  title: 'GRPO-Pass@k',
  rev: 1,
  source: { title: 'Optimizing Language Models for Inference Time Objectives', arxiv: '2503.19595', level: 'code' },
  needs: ['outcome', 'taskIndex', 'length'],
  formula: 'A = (best R − second R) / std R for the best of the task group, else 0',
  look: 'At most one episode per group has color. With 0/1 rewards only groups with exactly one success teach anything.',
  comparesOutcomes: true,
  params,
  alone: () => 'nothing',
  run: (batch, { divide }) => ({ A: credit(batch, divide) }),
  scratch: () => 1,
  gpu(ops, { divide }) {
    const lead = ops.lead(ops.outcome);
    if (divide) return { A: ops.broadcast(ops.overSpread(lead, ops.outcome, 'trajectories', 'task')) };
    return { A: ops.combine(0, lead, 0, ops.normalize(ops.outcome, 'task', 'comparable'), 1) };
  },
  explain(batch, { divide }, step) {
    const i = Math.floor(step / batch.T);
    const value = credit(batch, divide)[step]!;
    const compared = outcomesOf(batch, i);
    const [best = 0, second = best] = [...compared.values].sort((a, b) => b - a);
    const quantities = [
      { symbol: 'R', value: batch.outcome[i]!, what: 'return of this episode' },
      { symbol: 'R₍₁₎', value: best, what: 'best return of this task' },
      { symbol: 'R₍₂₎', value: second, what: 'second best return of this task' },
    ];
    if (divide && compared.values.length > 1)
      quantities.push({ symbol: 'std R', value: std(compared.values), what: 'how far apart they are' });
    const ahead = `${show(best)} − ${after(second)}`;
    const divided = `(${ahead}) / (${show(quantities[3]?.value ?? 0)} + 0.000001)`;
    const filled = value === 0 ? `not ahead of all others: ${show(value)}` : divide ? divided : ahead;
    return {
      terms: [
        {
          name: 'lead',
          value,
          formula: divide ? '(R₍₁₎ − R₍₂₎) / (std R + ε)' : 'R₍₁₎ − R₍₂₎',
          filled: value === 0 ? filled : `${filled} = ${show(value)}`,
          quantities,
          compared,
        },
      ],
    };
  },
});
