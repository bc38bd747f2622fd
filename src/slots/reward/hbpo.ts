import { cosTurn } from '../../core/fmath.ts';
import { settings } from '../../core/settings.ts';
import { given } from '../advantage/given.ts';
import { defineReward } from './types.ts';

/** How a success is paid: by its length n and its budget b, in steps, of at most L. */
export type BudgetPay = { readonly alpha: number; readonly beta: number; readonly clamp: boolean };

/** Reward of a success of n steps under a budget of b. */
export function budgetReward(n: number, b: number, L: number, { alpha, beta, clamp }: BudgetPay): number {
  if (n <= b) return beta * cosTurn(b / (4 * L));
  const late = beta * cosTurn(n / (4 * L)) - alpha * (n - b);
  return clamp ? Math.max(0, late) : late;
}

/**
 * A success is paid by its budget (HBPO; tokens of the paper are steps here). n = T_i steps, L the step limit:
 *
 *   success, n ≤ b:  f₂(b) = β·cos(π b / 2L)                  a tight budget that was kept is worth more
 *   success, n > b:  f₁ = β·cos(π n / 2L) − α·(n − b)          a late success; below 0 where α·(n − b) is larger, unless clamped
 *   failure:         0
 *
 * α is given for the whole step limit, as α/L a step. With a budget of L a success earns 0. The credit that belongs to it is
 * “HBPO”.
 */
export const hbpo = defineReward({
  id: 'hbpo',
  title: 'Success by budget (HBPO)',
  rev: 1,
  kind: 'replacing',
  source: { title: 'Hierarchical Budget Policy Optimization', arxiv: '2507.15844', level: 'text' },
  needs: ['budget', 'success', 'length'],
  makes: ['budgetReward'],
  formula: 'r[last] ← β·cos(π·b/2L) if n ≤ b, else β·cos(π·n/2L) − α·(n − b)/L, on success',
  look: 'A success within a tight budget earns most, a late one may earn less than a failure.',
  also: 'token budget, length penalty, efficiency, length of thinking',
  params: settings({
    beta: {
      ...{ kind: 'number', label: 'Size', default: 1, min: 0, max: 10 },
      doc: 'What a success would earn that takes no step at all.',
      formula: 'β',
    },
    alpha: {
      ...{ kind: 'number', label: 'Cost of being late', default: 0.5, min: 0, max: 100 },
      doc: 'What a whole step limit over the budget would cost; each late step costs its share.',
      formula: 'α',
    },
    clamp: {
      ...{ kind: 'switch', label: 'Never below a failure', default: false },
      doc: 'A late success earns at least 0. The paper does not say so.',
    },
  }),
  run(batch, { beta, alpha, clamp }, out) {
    const { B, T, length, success, budgetReward: kept } = batch;
    const budget = given(batch, 'budget');
    const pay = { beta, alpha: alpha / T, clamp };
    for (let i = 0; i < B; i++) {
      const [n, b] = [length[i]!, budget[i]!];
      if (kept) kept[i] = budgetReward(b, b, T, pay);
      if (success[i] === 1) out[i * T + n - 1] = budgetReward(n, b, T, pay);
    }
  },
  scratch: () => 1,
  gpu(ops, { beta, alpha, clamp }) {
    const L = ops.limit;
    // cosines of the CPU path: those of WGSL may be off by 5·10⁻⁴
    const table = Float32Array.from({ length: L + 1 }, (_, n) => beta * cosTurn(n / (4 * L)));
    return ops.atEnd(ops.byBudget(table, alpha / L, clamp));
  },
});
