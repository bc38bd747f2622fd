import { returnsToGo } from '../../core/batch.ts';
import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { anchorHeads, headsBy, meanOverHeads } from './segments.ts';

const params = settings({
  gamma: common.gamma,
});

/**
 * What followed an action, averaged, against what followed its state.
 *
 *   Q(s,a) = mean of G over the visits of (s,a) in the task group,   V(s) = mean of G over the visits of s
 *   A[i,t] = Q(s,a) − V(s),   G[i,t] = Σ_{k≥t} γ^(k−t) r[i,k]
 *
 * GiGPO's step part with one more average per action. A state in which everybody acted alike gets 0. The discount is the
 * lab's: the description that was read does not give one.
 */
export const rtmc = defineEstimator({
  id: 'rtmc',
  title: 'RTMC',
  rev: 1,
  source: { title: 'As described in GRAFT, appendix A.4', arxiv: '2609.28963', level: 'digest' },
  needs: ['reward', 'taskIndex', 'length', 'stateKey', 'action'],
  formula: 'A = mean of G over equal (state, action) − mean of G over equal states',
  look: 'Only junctions have color, and all episodes that made the same choice there share it.',
  params,
  alone: () => 'revisits',
  comparesStatesAlone: () => true,
  run(batch, { gamma }) {
    const G = returnsToGo(batch, gamma);
    const states = anchorHeads(batch);
    const choices = headsBy(
      batch,
      (_i, _t, k) => states[k]!,
      (_i, _t, k) => batch.action[k]!,
    );
    const Q = meanOverHeads(batch, G, choices);
    const V = meanOverHeads(batch, G, states);
    return { A: Q.map((q, k) => q - V[k]!) };
  },
});
