import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { advantageAmongAll } from './explainSteps.ts';
import { generalizedAdvantage } from './generalizedAdvantage.ts';
import { whiten } from './segments.ts';

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
