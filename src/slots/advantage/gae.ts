import type { Batch } from '../../contract/columns.ts';
import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { advantageAmongAll } from './explainSteps.ts';
import { whiten } from './segments.ts';

export type CutMode = 'bootstrap' | 'zero' | 'egae';

const params = settings({
  gamma: { ...common.gamma, default: 0.99, doc: 'Below 1, rewards far in the future count less.' },
  lambda: {
    kind: 'number',
    label: 'Trace',
    default: 0.95,
    min: 0,
    max: 1,
    doc: '0 trusts the critic after one step, 1 trusts the whole return.',
    formula: 'λ',
  },
  cut: {
    kind: 'choice',
    label: 'At the step limit',
    default: 'bootstrap',
    options: ['bootstrap', 'zero', 'egae'],
    optionLabels: ['value of the last state', 'nothing follows', 'value before the last step'],
    doc: 'What an episode is still worth at the step limit.',
  },
});

/**
 * Advantage and value target of a learned critic, before whitening.
 *
 *   δ[t] = r[t] + γV[t+1] − V[t]      adv[t] = δ[t] + γλ·adv[t+1]      target[t] = adv[t] + V[t]
 *
 * V beyond the last step is 0 if the episode ended by itself; if it was cut: 0 (`zero`), V of the final state
 * (`bootstrap`, right for time limits), or V before the last step (`egae`, T-PPO arXiv 2506.15050).
 */
export function generalizedAdvantage(
  batch: Pick<Batch, 'B' | 'T' | 'length' | 'reward' | 'value' | 'valueFinal' | 'terminated'>,
  gamma: number,
  lambda: number,
  cut: CutMode,
): { adv: Float32Array; target: Float32Array } {
  const { B, T } = batch;
  const adv = new Float32Array(B * T);
  const target = new Float32Array(B * T);
  for (let i = 0; i < B; i++) {
    const last = i * T + batch.length[i]! - 1;
    let next = 0;
    if (batch.terminated[i] === 0 && cut === 'bootstrap') next = batch.valueFinal[i]!;
    if (batch.terminated[i] === 0 && cut === 'egae') next = batch.value[last]!;
    let carry = 0;
    for (let k = last; k >= i * T; k--) {
      const delta = batch.reward[k]! + gamma * next - batch.value[k]!;
      carry = delta + gamma * lambda * carry;
      adv[k] = carry;
      target[k] = carry + batch.value[k]!;
      next = batch.value[k]!;
    }
  }
  return { adv, target };
}

/**
 * PPO's credit: generalized advantage of a learned critic (arXiv 1506.02438), whitened over the batch.
 * The critic's target is taken before whitening.
 */
export const gae = defineEstimator({
  id: 'gae',
  title: 'PPO with critic (GAE)',
  rev: 1,
  source: { title: 'High-Dimensional Continuous Control Using GAE', arxiv: '1506.02438', level: 'code' },
  needs: ['reward', 'value', 'valueFinal', 'terminated', 'length'],
  critic: true,
  metrics: ['valueLoss', 'explainedVariance', 'criticGap'],
  formula: 'A = whiten(Σ_k (γλ)^k δ[t+k]),  δ[t] = r[t] + γV[t+1] − V[t]',
  look: 'Credit sits where the value changes. Early on it shows errors of the critic, not of the actions.',
  params,
  alone: () => 'anyway',
  run(batch, { gamma, lambda, cut }) {
    const { adv, target } = generalizedAdvantage(batch, gamma, lambda, cut);
    return { A: whiten(batch, adv), target };
  },
  scratch: () => 4,
  gpu(ops, { gamma, lambda, cut }) {
    const { adv, target } = ops.tdSums(gamma, lambda, cut);
    return { A: ops.normalize(adv, 'batch', 'std'), target };
  },
  explain(batch, values, step) {
    const { adv } = generalizedAdvantage(batch, values.gamma, values.lambda, values.cut);
    return { terms: [advantageAmongAll(batch, adv, values, step)] };
  },
});
