import { returnsToGo } from '../../core/batch.ts';
import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { comparedTerm, stepsLike } from './explain.ts';
import { normalizeHeads, timeHeads } from './segments.ts';

/**
 * What is still to come, compared with what the others of the group still get from the same step on.
 *
 *   A[i,t] = G[i,t] − mean of G over the episodes of i's task that still run at t,   G[i,t] = Σ_{k≥t} γ^{k−t} r[i,k]
 *
 * An episode that runs alone at t gets 0 there.
 */
export const aboveStep = defineEstimator({
  id: 'aboveStep',
  title: 'SubPO, above its step',
  rev: 1,
  source: { title: 'Submodular Reinforcement Learning', arxiv: '2307.13372', level: 'code' },
  needs: ['reward', 'taskIndex', 'length'],
  formula: 'A[i,t] = G[i,t] − mean G of the episodes of the task that still run at t',
  look: 'Steps before something good stand out; the last steps of the longest episode are blank.',
  params: settings({ gamma: { ...common.gamma, default: 1 } }),
  alone: () => 'nothing',
  run: (batch, { gamma }) => ({ A: normalizeHeads(returnsToGo(batch, gamma), timeHeads(batch), 'mean') }),
  explain(batch, { gamma }, step) {
    const G = returnsToGo(batch, gamma);
    const compared = {
      ...{ ...stepsLike(timeHeads(batch), G, step), letter: 'G', what: 'reward from here on' },
      ...{ others: 'episodes that still run at this step', rule: 'mean' as const },
    };
    return { terms: [comparedTerm('to go', normalizeHeads(G, timeHeads(batch), 'mean')[step]!, compared)] };
  },
  scratch: () => 6,
  gpu: (ops, { gamma }) => ({
    A: ops.normalizeSets(ops.returnsToGo(ops.reward, gamma), ops.sets({ of: 'time', past: 0 }), 'mean'),
  }),
});
