import type { Batch } from '../../../contract/columns.ts';
import { SPREAD } from '../../../core/stats.ts';
import { settings } from '../../../core/settings.ts';
import { defineEstimator } from '../../types.ts';
import { common } from '../common.ts';
import { processTerms } from '../explainSteps.ts';
import { given } from '../given.ts';
import { normalizeHeads, realSteps, taskHeads } from '../segments.ts';
import { baseCredit, sumOfParts } from '../trajectoryCredit.ts';
import { preferenceLoss } from './preference.ts';

const params = settings({
  base: {
    kind: 'choice',
    label: 'Comparison',
    default: 'rloo',
    options: ['rloo', 'grpo'],
    optionLabels: ['RLOO', 'GRPO'],
    doc: 'How episodes are compared with one another, and steps with one another.',
  },
  rows: common.rows,
  alpha: {
    kind: 'number',
    label: 'Step weight',
    default: 1,
    min: 0,
    max: 10,
    doc: 'Weight of the step part relative to the episode part.',
    formula: 'α',
  },
  beta: {
    kind: 'number',
    label: 'Reward scale',
    default: 0.05,
    min: 0.001,
    max: 1,
    scale: 'log',
    doc: 'Turns log-probability ratios of the process model into rewards.',
    formula: 'β',
  },
  maxAbs: {
    kind: 'switch',
    label: 'Scale to 1',
    default: true,
    when: { setting: 'base', is: ['rloo'] },
    doc: 'Divide step rewards by the largest in the batch; otherwise they are tiny next to outcomes.',
  },
  score: {
    kind: 'choice',
    label: 'Score of an episode',
    default: 'sum',
    options: ['sum', 'mean'],
    optionLabels: ['sum of its steps (paper)', 'mean of its steps (released code)'],
    doc: 'What the process model compares when it learns which of two episodes succeeded.',
  },
  rate: {
    kind: 'number',
    label: 'Process model rate',
    default: 2,
    min: 0.01,
    max: 100,
    scale: 'log',
    doc: 'Learning rate of the process model, as a multiple of the policy’s.',
  },
  clip: {
    kind: 'number',
    label: 'Process model norm limit',
    default: 10,
    min: 0,
    max: 100,
    doc: 'Longer gradients of the process model are scaled down to this norm; 0 = no limit.',
  },
});

/**
 * A second policy, the process model φ, learns which trajectories succeed; where it departs from π_old it rewards steps.
 *
 *   r^φ[i,t] = β·(log π_φ(a|o) − log π_old(a|o))
 *   Aˢ[i,t]  = Normalize or LeaveOneOut of r^φ over all steps of i's task group (paper; the released code uses first steps)
 *   A[i,t]   = Aᴱ[i] + α·Aˢ[i,t],   Aᴱ from GRPO or RLOO
 *
 * With RLOO step rewards are divided by the largest |r^φ| of the batch. φ starts as a copy of the policy and takes one step
 * per update on the loss of `preference.ts`. It scores the batch before the batch trains it, so in the first iteration
 * φ = π_old and the credit is its base.
 */
export const oprl = defineEstimator({
  id: 'oprl',
  title: 'OPRL',
  rev: 1,
  source: { title: 'Online Process Reward Learning (later iStar)', arxiv: '2509.19199', level: 'code' },
  needs: ['outcome', 'taskIndex', 'length', 'logp', 'logpPhi'],
  formula: 'A = compare(R) + α · compare(β · (log π_φ − log π_old)) over the steps of the task group',
  look: 'The step part is flat at first and becomes informative before the success curve moves.',
  also: 'process reward model, PRM',
  params,
  parts: ['episode', 'step'],
  metrics: ['pairAccuracy', 'pairLoss'],
  process: {
    settings: ({ beta, score, rate, clip }) => ({ beta, score, rate, clipNorm: clip }),
    loss: preferenceLoss,
  },
  alone: () => 'nothing',
  run(batch, { base, alpha, beta, maxAbs, rows }) {
    const reward = implicitReward(batch, beta, base === 'rloo' && maxAbs);
    const mode = base === 'rloo' ? 'leaveOneOut' : 'std';
    const parts = {
      episode: baseCredit(batch, base, rows),
      step: normalizeHeads(reward, taskHeads(batch), mode).map((x) => alpha * x),
    };
    return { A: sumOfParts(parts), parts };
  },
  explain: (batch, { maxAbs, ...how }, step) =>
    processTerms(batch, implicitReward(batch, how.beta, how.base === 'rloo' && maxAbs), how, step),
  scratch: ({ base, maxAbs }) => (base === 'rloo' && maxAbs ? 6 : 5),
  gpu(ops, { base, alpha, beta, maxAbs, rows }) {
    const mode = base === 'rloo' ? 'leaveOneOut' : 'std';
    const raw = ops.combine(beta, ops.logpPhi, -beta, ops.logp);
    const reward = base === 'rloo' && maxAbs ? ops.scaleByLargest(raw, SPREAD * beta) : raw;
    const compared = ops.normalize(reward, 'task', mode);
    const step = ops.combine(alpha, compared, 0, compared);
    const episode = ops.broadcast(ops.normalize(ops.outcome, 'task', mode, rows));
    return { A: ops.combine(1, episode, 1, step), parts: { episode, step } };
  },
});

/**
 * r^φ on real steps, 0 on padding; divided by its largest absolute value in the batch if `maxAbs`. Where φ agrees with
 * π_old up to rounding there is nothing to divide: all rewards are 0.
 */
export function implicitReward(
  batch: Pick<Batch, 'B' | 'T' | 'length' | 'logp' | 'logpPhi'>,
  beta: number,
  maxAbs: boolean,
): Float32Array {
  const phi = given(batch, 'logpPhi');
  const reward = Float32Array.from(realSteps(batch), (isReal, k) => (isReal ? beta * (phi[k]! - batch.logp[k]!) : 0));
  if (!maxAbs) return reward;
  const largest = reward.reduce((size, r) => Math.max(size, Math.abs(r)), 0);
  return reward.map((r) => (largest > SPREAD * beta ? r / largest : 0));
}
