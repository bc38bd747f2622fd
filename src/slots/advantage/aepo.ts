import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { whiten } from './segments.ts';
import { baseCredit } from './trajectoryCredit.ts';

const params = settings({
  a: {
    kind: 'number',
    label: 'Entropy weight',
    default: 0.2,
    min: 0,
    max: 0.3,
    doc: 'How much more credit a step gets per standard deviation of entropy above the mean.',
    formula: 'a',
  },
  rows: common.rows,
});

/**
 * GRPO's credit, larger where the policy was unsure: the opposite of EMPG.
 *
 *   A[i,t] = A^GRPO[i]·(1 + a·z[i,t]),   z = Normalize(H) over all real steps of the batch
 *
 * H is the entropy at sampling time, so the credit stays the same in every epoch (the released code takes the current
 * policy's, per minibatch). Larger weights than 0.3 are not offered: they would turn the sign of credit within the usual
 * spread of entropies. Equal entropies give GRPO.
 */
export const aepo = defineEstimator({
  id: 'aepo',
  title: 'AEPO credit',
  rev: 1,
  source: { title: 'Agentic Entropy-Balanced Policy Optimization', arxiv: '2510.14545', level: 'code' },
  needs: ['outcome', 'taskIndex', 'length', 'entropy'],
  formula: 'A = A^GRPO · (1 + a · whiten(H))',
  look: 'Credit grows where the entropy is high; compare with EMPG, which does the opposite.',
  params,
  alone: () => 'nothing',
  run(batch, { a, rows }) {
    const z = whiten(batch, batch.entropy);
    return { A: baseCredit(batch, 'grpo', rows).map((x, k) => x * (1 + a * z[k]!)) };
  },
  scratch: () => 2,
  gpu(ops, { a, rows }) {
    const base = ops.normalize(ops.outcome, 'task', 'std', rows);
    return { A: ops.combine(1, base, 0, ops.normalize(ops.entropy, 'batch', 'std'), a) };
  },
});
