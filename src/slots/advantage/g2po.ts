import type { Batch } from '../../contract/columns.ts';
import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { anchorHeads, meanOverHeads, normalizeHeads, taskHeads } from './segments.ts';
import { GOAL, stateGraph } from './stateGraph.ts';
import { outcomeCredit, sumOfParts } from './trajectoryCredit.ts';

const params = settings({
  omega: { ...common.omega, doc: 'Weight of both step parts relative to the episode part.' },
  gamma: { ...common.gamma, doc: 'How much of the outcome is left per step before the end.' },
  mode: {
    kind: 'choice',
    label: 'Scale',
    default: 'mean',
    options: ['mean', 'std'],
    optionLabels: ['only subtract the mean', 'divide by the spread'],
    doc: 'Divide each part by the spread of its group, or only subtract the mean.',
  },
  rows: common.rows,
});

/**
 * Values of states from the episodes that went through them; a step is judged by where it led.
 *
 *   V(s)   = mean over the visits of s in the task group of γ^(T_i − t)·R[i];   after the end: R[i] of a success, else 0
 *   A[i,t] = Normalize(R over the task group)
 *          + ω·(Normalize(V(s′) over equal s) + Normalize(V(s′) − V(s) over all steps of the task group))
 *
 * Episode statistics count each trajectory once, or as the released code does, once for each step (`rows`). Then it
 * equals the released code where a success pays the same every time, save for its penalty for refused actions, which is left
 * to the reward.
 */
export const g2po = defineEstimator({
  id: 'g2po',
  title: 'G²PO',
  rev: 1,
  source: { title: 'G²PO', arxiv: '2606.22995', level: 'code' },
  needs: ['outcome', 'taskIndex', 'length', 'stateKey', 'finalStateKey', 'success'],
  formula: 'A = normalize(R) + ω · (normalize(V(s′) over equal s) + normalize(V(s′) − V(s) over the task group))',
  look: 'Steps that change the value of the state stand out in the whole task, even where no other episode passed.',
  params,
  parts: ['episode', 'next', 'gain'],
  alone: ({ omega, gamma }) => (omega > 0 && gamma < 1 ? 'anyway' : 'nothing'),
  run(batch, { omega, gamma, mode, rows }) {
    const { now, next } = nodeValues(batch, gamma);
    const gain = next.map((v, k) => v - now[k]!);
    const isApart = (k: number): boolean => batch.apart?.[k] === 1;
    const parts = {
      episode: outcomeCredit(batch, mode, rows),
      next: normalizeHeads(next, anchorHeads(batch), mode).map((x) => omega * x),
      gain: normalizeHeads(
        gain,
        taskHeads(batch).map((head, k) => (isApart(k) ? -1 : head)),
        mode,
      ).map((x) => omega * x),
    };
    return { A: sumOfParts(parts), parts };
  },
});

/** V of the state before and after each step. Steps that write have none, and γ does not count them. */
function nodeValues(batch: Batch, gamma: number): { now: Float32Array; next: Float32Array } {
  const { B, T, length, outcome, apart } = batch;
  const { from, to, failed } = stateGraph(batch);
  const share = new Float64Array(B * T);
  for (let i = 0; i < B; i++) {
    let left = outcome[i]!;
    for (let k = i * T + length[i]! - 1; k >= i * T; k--) if (apart?.[k] !== 1) share[k] = left *= gamma;
  }
  const now = meanOverHeads(batch, share, from);
  const next = new Float32Array(B * T);
  for (let i = 0; i < B; i++) {
    let after = 0;
    for (let k = i * T + length[i]! - 1; k >= i * T; k--) {
      if (from[k]! < 0) continue;
      if (to[k] === GOAL) next[k] = outcome[i]!;
      else if (failed[k] === 0) next[k] = after;
      after = now[k]!;
    }
  }
  return { now, next };
}
