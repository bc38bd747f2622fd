import { allocate, silentChance, type BudgetRule, type Seen } from '../../../core/math/budget.ts';
import { mean } from '../../../core/stats.ts';

/** Floors, the most of a task in group sizes, what a mixed group is worth, and whether hopeless tasks get the surplus. */
export type Budgeting = Pick<BudgetRule, 'minN' | 'negativeN' | 'positiveN' | 'weight' | 'fallback'> & {
  readonly most: number;
};

/** Wanted: episodes until a group is mixed with this chance. */
const CONFIDENCE = 0.9;

/**
 * Episodes of each task of a batch, which add up to G each. Floors are never above G. What is left when all mixed tasks have
 * the most that they may have goes evenly to hopeless tasks, else to unseen ones, else to the mixed ones.
 */
export function allocation(tasks: readonly Seen[], G: number, rule: Budgeting): readonly number[] {
  const floor = (n: number): number => Math.min(G, n);
  const floors = { minN: floor(rule.minN), negativeN: floor(rule.negativeN), positiveN: floor(rule.positiveN) };
  const sizes = { perTask: G, maxN: rule.most * G, confidence: CONFIDENCE };
  const budget = G * tasks.length;
  const { n } = allocate(tasks, budget, { ...rule, ...floors, ...sizes });
  const left = budget - n.reduce((a, b) => a + b, 0);
  const of = (is: (task: Seen) => boolean): number[] => [...tasks.keys()].filter((k) => is(tasks[k]!));
  const ways = [of(({ seen, rate }) => seen && rate <= 0), of(({ seen }) => !seen), of(({ rate }) => rate < 1)];
  const to = ways.find((way) => way.length > 0) ?? [...tasks.keys()];
  for (let j = 0; j < left; j++) n[to[j % to.length]!]!++;
  return n;
}

/** Mean chance that a group has both outcomes; `even`: with so many episodes each. */
export const usefulShare = (tasks: readonly { readonly rate: number; readonly n: number }[], even?: number): number =>
  mean(tasks.map(({ rate, n }) => 1 - silentChance(rate, even ?? n)));
