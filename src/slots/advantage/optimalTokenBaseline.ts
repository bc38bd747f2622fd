import type { Batch } from '../../contract/columns.ts';
import { groupsOf, returnsToGo } from '../../core/batch.ts';
import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { given } from './given.ts';
import type { Singleton } from './trajectoryCredit.ts';

/** Added to the sum of the weights of a baseline. */
const NEAR_ZERO = 1e-8;

const params = settings({
  zeroTail: {
    kind: 'switch',
    label: 'Longest episode counts in full',
    default: true,
    doc: 'Steps that only the longest episode reaches have no baseline; else their credit is 0.',
  },
  singleton: common.singleton,
});

/**
 * The baseline of each step that makes the variance of the gradient smallest, as in verl's
 * `compute_optimal_token_baseline_advantage` (verl-project/verl, 2026-08-22).
 *
 *   e[i,t] = 1 − 2π(a) + Σ_b π(b)² = ‖∂ log π(a)/∂ logits‖²      W[i,t] = Σ_{k≤t} e[i,k]
 *   b[g,t] = Σ_i G[i,t]·W[i,t] / (Σ_i W[i,t] + 1e-8)   over the episodes of task g that still run at t
 *   A[i,t] = G[i,t] − b[g,t],   G[i,t] = Σ_{k≥t} r[i,k]
 *
 * An episode in which the policy was often unsure weighs more. Where only the longest one still runs, b would be its own G:
 * `zeroTail` takes b = 0 there, so that its last steps are not silent.
 */
export const optimalTokenBaseline = defineEstimator({
  id: 'optimalTokenBaseline',
  title: 'Optimal token baseline',
  rev: 1,
  source: { title: 'The Optimal Token Baseline', arxiv: '2602.07078', level: 'code' },
  needs: ['reward', 'taskIndex', 'length', 'scoreNorm'],
  formula: 'A = G − Σ G·W / Σ W over the episodes of the task at the same step; W = Σ ‖∂ log π‖² so far',
  look: 'Credit changes within an episode where others of its task end; compare its variance with that of Dr. GRPO.',
  params,
  alone: ({ singleton }) => (singleton === 'return' ? 'anyway' : 'nothing'),
  run: (batch, values) => ({ A: creditOverBaseline(batch, values) }),
});

type Judged = Pick<Batch, 'B' | 'T' | 'length' | 'taskIndex' | 'reward' | 'scoreNorm'>;
type Rules = { readonly zeroTail: boolean; readonly singleton: Singleton };

/** A[B, T]. `weight` [B, T]: importance weights v of the steps, if any; they count as e·v². */
export function creditOverBaseline(
  batch: Judged,
  { zeroTail, singleton }: Rules,
  weight?: ArrayLike<number>,
): Float32Array {
  const { B, T, length } = batch;
  const e = given(batch, 'scoreNorm');
  const G = returnsToGo(batch, 1);
  const W = new Float64Array(B * T);
  for (let i = 0; i < B; i++) {
    let total = 0;
    for (let k = i * T; k < i * T + length[i]!; k++) W[k] = total += e[k]! * (weight?.[k] ?? 1) ** 2;
  }
  const A = new Float32Array(B * T);
  for (const group of groupsOf(batch)) {
    if (group.length === 1 && singleton === 'zero') continue;
    const [longest, second = 0] = group.map((i) => length[i]!).sort((a, b) => b - a);
    for (let t = 0; t < longest!; t++) {
      const running = group.filter((i) => t < length[i]!).map((i) => i * T + t);
      let [num, den] = [0, NEAR_ZERO];
      for (const k of running) {
        num += G[k]! * W[k]!;
        den += W[k]!;
      }
      const isTail = t >= second && (zeroTail || group.length === 1);
      const b = isTail ? 0 : num / den;
      for (const k of running) A[k] = G[k]! - b;
    }
  }
  return A;
}
