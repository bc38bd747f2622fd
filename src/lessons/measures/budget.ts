import { mean } from '../../core/stats.ts';
import { allocate, silentChance } from '../../core/math/budget.ts';
import { measure } from './types.ts';

/** The tasks of lesson 3, and what each gets by a rule: `uniform`, `mixed` or `infoGain`; at least 2 each. */
function spent(rule: string, budget: number, rates: readonly number[]): number[] {
  if (rule === 'uniform') return rates.map(() => budget / rates.length);
  if (rule !== 'mixed' && rule !== 'infoGain')
    throw new Error('A budget is spent by one of three rules: uniform, mixed or infoGain.');
  const floors = { perTask: budget / rates.length, minN: 2, negativeN: 2, positiveN: 2, maxN: budget };
  const tasks = rates.map((rate) => ({ rate, seen: true }));
  return allocate(tasks, budget, { ...floors, confidence: 0.9, fallback: false, weight: rule }).n;
}

export const rollouts = measure({
  id: 'rollouts',
  doc: 'rollouts(rule, k, budget, p₁, p₂, p₃, p₄): episodes that task k of four with these success rates gets from a budget, by the rule uniform, mixed or infoGain (Knapsack RL, arXiv 2509.25849).',
  takes: ['word', 'number', 'number', 'number', 'number', 'number', 'number'],
  of: (rule, k, budget, ...rates) => spent(rule, budget, rates)[k - 1] ?? NaN,
});

export const useful = measure({
  id: 'useful',
  doc: 'useful(rule, budget, p₁, p₂, p₃, p₄): mean chance over four tasks that a group is mixed when the budget is spent by a rule.',
  takes: ['word', 'number', 'number', 'number', 'number', 'number'],
  of: (rule, budget, ...rates) => {
    const n = spent(rule, budget, rates);
    return mean(rates.map((p, k) => 1 - silentChance(p, n[k]!)));
  },
});
