import type { Batch } from '../../contract/columns.ts';
import { exp } from '../../core/fmath.ts';
import { isDegenerate } from '../../core/stats.ts';
import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { baseCredit } from './trajectoryCredit.ts';

const params = settings({
  k: {
    kind: 'number',
    label: 'Confidence weight',
    default: 1,
    min: 0,
    max: 10,
    doc: 'How much credit, good or bad, moves from uncertain steps to confident ones.',
    formula: 'k',
  },
  kFuture: {
    kind: 'number',
    label: 'Clarity sharpness',
    default: 1,
    min: 0,
    max: 10,
    doc: 'How quickly the bonus falls with the uncertainty of the next step.',
    formula: 'k′',
  },
  zeta: {
    kind: 'number',
    label: 'Clarity bonus',
    default: 0.1,
    min: 0,
    max: 1,
    doc: 'Bonus for moving to a state in which the policy is confident.',
    formula: 'ζ',
  },
  rows: common.rows,
});

/**
 * GRPO's verdict, louder on steps where the policy was sure, plus a bonus for reaching states where it is sure.
 *
 *   h = (H − min H) / (max H − min H) over the real steps of the batch
 *   g = exp(−k·h) / mean exp(−k·h),   f = exp(−k′·h)
 *   A[i,t] = A^GRPO[i]·g[i,t] + ζ·f[i,t+1],   then minus the mean over the real steps of the batch
 *
 * The last step of an episode never has a bonus. Equal entropies give g = f = 1. While ζ > 0 the bonus is there even when all
 * groups agree, unless every episode has one step.
 */
export const empg = defineEstimator({
  id: 'empg',
  title: 'EMPG',
  rev: 1,
  source: { title: 'Entropy-Modulated Policy Gradients', arxiv: '2509.09265', level: 'digest' },
  needs: ['outcome', 'taskIndex', 'length', 'entropy'],
  formula: 'A = center(A^GRPO · exp(−k·h)/mean + ζ · exp(−k′·h of the next step))',
  look: 'Credit shrinks where the entropy is high; the last step of every episode is a little darker.',
  params,
  alone: ({ zeta }) => (zeta > 0 ? 'anyway' : 'nothing'),
  run(batch, { k, kFuture, zeta, rows }) {
    const base = baseCredit(batch, 'grpo', rows);
    const h = scaledEntropy(batch);
    const scale = meanOfSteps(batch, (at) => exp(-k * h[at]!));
    const A = new Float64Array(base.length);
    forSteps(batch, (at, isLast) => {
      const bonus = isLast ? 0 : zeta * exp(-kFuture * h[at + 1]!);
      A[at] = (base[at]! * exp(-k * h[at]!)) / scale + bonus;
    });
    const center = meanOfSteps(batch, (at) => A[at]!);
    const result = new Float32Array(base.length);
    forSteps(batch, (at) => (result[at] = A[at]! - center));
    return { A: result };
  },
  scratch: () => 9,
  gpu(ops, { k, kFuture, zeta, rows }) {
    const base = ops.normalize(ops.outcome, 'task', 'std', rows);
    const h = ops.unitRange(ops.entropy);
    const sure = ops.map('exp', h, -k);
    const g = ops.zip('divide', sure, ops.normalize(sure, 'batch', 'average'));
    const bonus = ops.following(ops.map('exp', h, -kFuture));
    return { A: ops.normalize(ops.combine(1, ops.combine(0, base, 0, g, 1), zeta, bonus), 'batch', 'mean') };
  },
});

type Ragged = Pick<Batch, 'B' | 'T' | 'length'>;

function forSteps(batch: Ragged, visit: (at: number, isLast: boolean) => void): void {
  for (let i = 0; i < batch.B; i++) {
    const length = batch.length[i]!;
    for (let t = 0; t < length; t++) visit(i * batch.T + t, t + 1 === length);
  }
}

function meanOfSteps(batch: Ragged, value: (at: number) => number): number {
  let total = 0;
  let steps = 0;
  forSteps(batch, (at) => {
    total += value(at);
    steps++;
  });
  return total / steps;
}

/** h in [0, 1] on real steps; all 0 when the entropies agree. */
function scaledEntropy(batch: Ragged & Pick<Batch, 'entropy'>): Float64Array {
  const members: number[] = [];
  forSteps(batch, (at) => members.push(batch.entropy[at]!));
  const h = new Float64Array(batch.B * batch.T);
  if (isDegenerate(members)) return h;
  const low = members.reduce((a, b) => Math.min(a, b), Infinity);
  const high = members.reduce((a, b) => Math.max(a, b), -Infinity);
  forSteps(batch, (at) => (h[at] = (batch.entropy[at]! - low) / (high - low)));
  return h;
}
