import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { mean } from '../../core/stats.ts';
import { allocate, budgetValue, silentChance, type BudgetRule } from '../../core/math/budget.ts';

type Case = {
  readonly name: string;
  readonly kind: string;
  readonly params: Omit<BudgetRule, 'fallback' | 'weight'> & {
    readonly fallback: number;
    readonly weight?: BudgetRule['weight'];
    readonly totalBudget?: number;
  };
  readonly inputs: { readonly successRate: readonly number[]; readonly seen: readonly number[] };
  readonly expected: Readonly<Record<'allocation', readonly number[]>> &
    Readonly<Record<'fallback' | 'value' | 'valueUniform' | 'effective' | 'effectiveUniform', number>>;
};

const path = new URL('./knapsack.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(path, 'utf8')) as { cases: readonly Case[] };
const golden = cases;

describe.each(golden)('$name', ({ params, inputs, expected }) => {
  const weight = params.weight ?? 'infoGain';
  const tasks = inputs.successRate.map((rate, k) => ({ rate, seen: inputs.seen[k] === 1 }));
  const budget = params.totalBudget ?? params.perTask * tasks.length;
  const found = allocate(tasks, budget, { ...params, weight, fallback: params.fallback === 1 });

  test('the integers of the golden file', () => {
    expect(found.n).toEqual(expected.allocation);
    expect(Number(found.fallback)).toBe(expected.fallback);
    expect(found.n.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(budget);
  });

  test('what they are worth, and what even spending is', () => {
    const seen = tasks.flatMap(({ rate, seen: isSeen }, k) => (isSeen ? [{ p: rate, n: found.n[k]! }] : []));
    const value = (n?: number): number => seen.reduce((sum, s) => sum + budgetValue(n ?? s.n, s.p, weight), 0);
    const effective = (n?: number): number => mean(seen.map((s) => 1 - silentChance(s.p, n ?? s.n)));
    expect(value()).toBeCloseTo(expected.value, 7);
    expect(value(params.perTask)).toBeCloseTo(expected.valueUniform, 7);
    expect(effective()).toBeCloseTo(expected.effective, 7);
    expect(effective(params.perTask)).toBeCloseTo(expected.effectiveUniform, 7);
  });
});

test('the golden file has such cases', () => expect(golden.length).toBeGreaterThanOrEqual(5));

test('greedy is the best there is: no other way to spend a small budget is worth more', () => {
  const rates = [0.8, 0.3, 0.07];
  const rule = { perTask: 5, minN: 2, negativeN: 2, positiveN: 2, maxN: 15, confidence: 0.9, fallback: false } as const;
  for (const weight of ['mixed', 'infoGain'] as const) {
    const worth = (n: readonly number[]): number => rates.reduce((sum, p, k) => sum + budgetValue(n[k]!, p, weight), 0);
    let best = 0;
    for (let a = 2; a <= 11; a++) for (let b = 2; a + b <= 13; b++) best = Math.max(best, worth([a, b, 15 - a - b]));
    const { n } = allocate(
      rates.map((rate) => ({ rate, seen: true })),
      15,
      { ...rule, weight },
    );
    expect(worth(n)).toBeCloseTo(best, 12);
  }
});
