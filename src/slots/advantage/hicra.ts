import type { Batch } from '../../contract/columns.ts';
import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { decisionPoints, openWays, planningTerms, strategicGrams } from './planning.ts';
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
    optionLabels: ['junctions', 'action sequences that successes share'],
    doc: 'Junctions: more than one action leads somewhere that no other path reaches as quickly.',
  },
  share: {
    kind: 'number',
    label: 'Shared by',
    default: 0.5,
    min: 0.05,
    max: 1,
    when: { setting: 'plan', is: ['grams'] },
    doc: 'Share of the successes of two tasks that must contain a sequence of 3 to 5 actions.',
  },
  rows: common.rows,
});

/**
 * GRPO's credit with more praise and less blame on planning steps p.
 *
 *   A = A^GRPO + α·|A^GRPO|·p
 *
 * For α ≤ 1 the sign never changes. The credit of a group no longer adds up to 0: planning steps drift upwards. p comes
 * with the batch where the action format has a plan field (`planMask`); else it is derived from what the episodes did,
 * a stand-in for the mined word sequences of the paper. Without planning steps this is GRPO. Before rev 2 every state
 * counted in which the episodes of a group chose differently, which a policy that explores does nearly everywhere.
 */
export const hicra = defineEstimator({
  id: 'hicra',
  title: 'HICRA',
  rev: 2,
  source: { title: 'Hierarchy-Aware Credit Assignment', arxiv: '2509.03646', level: 'digest' },
  needs: ['outcome', 'taskIndex', 'length', 'stateKey', 'action', 'success'],
  formula: 'A = A^GRPO + α · |A^GRPO| · p,  p = 1 on planning steps',
  look: 'Junctions stand out, brighter in good episodes and paler in bad ones; in the corridors between them the credit is GRPO’s.',
  params,
  parts: ['episode', 'planning'],
  alone: () => 'nothing',
  run(batch, { alpha, plan, share, rows }) {
    const p = planningSteps(batch, plan, share);
    const episode = baseCredit(batch, 'grpo', rows);
    const planning = episode.map((a, k) => alpha * Math.abs(a) * p[k]!);
    return { A: episode.map((a, k) => a + alpha * Math.abs(a) * p[k]!), parts: { episode, planning } };
  },
  scratch: () => 7,
  gpu(ops, { alpha, rows }) {
    const episode = ops.broadcast(ops.normalize(ops.outcome, 'task', 'std', rows));
    const planning = ops.combine(0, ops.map('abs', episode), 0, ops.planMask ?? ops.branches(), alpha);
    return { A: ops.combine(1, episode, 1, planning), parts: { episode, planning } };
  },
  onGpu: ({ plan }) => plan === 'decisions',
  explain(batch, { alpha, plan, share, rows }, step) {
    const base = baseCredit(batch, 'grpo', rows)[step]!;
    const p = planningSteps(batch, plan, share)[step]!;
    const ways = batch.planMask || plan === 'grams' ? null : openWays(batch)[step]!;
    return planningTerms(batch, { base, alpha, p, ways, rows }, step);
  },
});

/** [B, T] p: 1 = planning step. */
function planningSteps(batch: Batch, plan: 'decisions' | 'grams', share: number): Uint8Array {
  return batch.planMask ?? (plan === 'decisions' ? decisionPoints(batch) : strategicGrams(batch, share));
}
