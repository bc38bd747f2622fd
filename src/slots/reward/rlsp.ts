import type { Tensors } from '../../contract/state.ts';
import { settings } from '../../core/settings.ts';
import { batchCount, countBatch, uncountBatch } from './batchCount.ts';
import { defineReward } from './types.ts';

/** f of this batch, which is counted. */
const shareLeft = (memory: Tensors, fade: number): number =>
  fade === 0 ? 1 : Math.max(0, 1 - countBatch(memory) / fade);

/**
 * Pay for exploring, whatever comes of it, which fades over training.
 *
 *   r[t] ← r[t] + w·f·new[t]/L     f = max(0, 1 − u/N) after u updates; new[t]: the step led to a state new to the episode
 *
 * The sum over an episode is w·f times its new states over the step limit. The simplest form of the paper pays for length:
 * then new[t] is 1 in every step, and the longest episode earns most.
 */
export const rlsp = defineReward({
  id: 'rlsp',
  title: 'Exploration that fades (RLSP)',
  rev: 1,
  kind: 'additive',
  source: {
    title: 'On the Emergence of Thinking in LLMs I: Searching for the Right Intuition',
    arxiv: '2502.06773',
    level: 'abstract',
  },
  needs: ['novel', 'length'],
  formula: 'r ← r + w·f·new/L, f = max(0, 1 − u/N)',
  look: 'Early episodes wander through many states; when the pay has faded, only success counts.',
  also: 'novelty, curiosity, exploration bonus, intrinsic reward',
  params: settings({
    w: {
      kind: 'number',
      label: 'Weight',
      default: 0.5,
      min: 0,
      max: 10,
      doc: 'Pay for an episode in which every step counts.',
      formula: 'w',
    },
    pays: {
      kind: 'choice',
      label: 'What is paid',
      default: 'novel',
      options: ['novel', 'steps'],
      optionLabels: ['states new to the episode', 'every step'],
      doc: 'Paid by the step, episodes get long and nothing else.',
    },
    fade: {
      kind: 'integer',
      label: 'Gone after',
      default: 100,
      min: 0,
      max: 10_000,
      unit: 'updates',
      doc: 'Updates in which the pay falls evenly to 0; 0 = it stays.',
      formula: 'N',
    },
  }),
  state: ({ fade }) => (fade > 0 ? batchCount : {}),
  mostPerStep: ({ w }, T) => w / T,
  known: (memory, { fade }) => shareLeft(memory, fade),
  run({ B, T, length, novel }, { w, pays, fade }, out, memory) {
    const f = shareLeft(memory, fade);
    for (let i = 0; i < B; i++)
      for (let k = i * T; k < i * T + length[i]!; k++) out[k] = (w * f * (pays === 'novel' ? novel![k]! : 1)) / T;
  },
  forget: uncountBatch,
  scratch: () => 1,
  gpu(ops, { w, pays }) {
    const paid = pays === 'novel' ? ops.signal('novel') : ops.threshold(ops.ended('terminated'), 0);
    return ops.combine(0, paid, 0, ops.knownOfBatch, w / ops.limit);
  },
});
