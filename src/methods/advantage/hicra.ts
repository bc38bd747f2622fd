import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { decisionPoints, strategicGrams } from './planning.ts';
import { baseCredit } from './trajectoryCredit.ts';

const params = settings({
  alpha: {
    kind: 'number',
    label: 'Planning weight',
    default: 0.2,
    min: 0,
    max: 1,
    doc: 'How much more praise and less blame planning steps get.',
    formula: 'α',
  },
  plan: {
    kind: 'choice',
    label: 'Planning steps',
    default: 'decisions',
    options: ['decisions', 'grams'],
    optionLabels: ['states where episodes chose differently', 'action sequences that successes share'],
    doc: 'Which steps count as planning where the action format does not say it.',
  },
  share: {
    kind: 'number',
    label: 'Shared by',
    default: 0.5,
    min: 0.05,
    max: 1,
    when: { setting: 'plan', is: ['grams'] },
    doc: 'Share of the successes of two tasks that must hold a sequence of 3 to 5 actions.',
  },
});

/**
 * GRPO's credit with more praise and less blame on planning steps p.
 *
 *   A = A^GRPO + α·|A^GRPO|·p
 *
 * For α ≤ 1 the sign never changes. The credit of a group no longer adds up to 0: planning steps drift upwards. p comes
 * with the batch where the action format has a plan field (`planMask`); else it is derived from what the episodes did,
 * a stand-in for the mined word sequences of the paper. Without planning steps this is GRPO.
 */
export const hicra = defineEstimator({
  id: 'hicra',
  title: 'HICRA',
  rev: 1,
  source: { title: 'Hierarchy-Aware Credit Assignment', arxiv: '2509.03646', level: 'digest' },
  needs: ['outcome', 'taskIndex', 'length', 'stateKey', 'action', 'success'],
  formula: 'A = A^GRPO + α · |A^GRPO| · p,  p = 1 on planning steps',
  look: 'Junctions stand out: brighter in good episodes, paler in bad ones.',
  params,
  run(batch, { alpha, plan, share }) {
    const p = batch.planMask ?? (plan === 'decisions' ? decisionPoints(batch) : strategicGrams(batch, share));
    return { A: baseCredit(batch).map((a, k) => a + alpha * Math.abs(a) * p[k]!) };
  },
});
