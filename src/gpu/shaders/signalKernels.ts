import type { Kernel } from '../kernel.ts';
import answers from './credit/answerProb/answerProb.wgsl?raw';
import random from './decision/random/random.wgsl?raw';
import byBudget from './rollout/budgetPay/budgetPay.wgsl?raw';
import covered from './rollout/covered/covered.wgsl?raw';
import book from './rollout/labelBook/labelBook.wgsl?raw';
import pairs from './rollout/rankedPairs/rankedPairs.wgsl?raw';
import ranking from './rollout/rankedPairs/ranking.wgsl?raw';
import share from './rollout/taught/taught.wgsl?raw';
import earned from './rollout/earnedTags/earnedTags.wgsl?raw';
import rewardRows from './rollout/rewardRows/rewardRows.wgsl?raw';

const ofRows = <const E extends string>(entry: E): Kernel => ({ id: `rewardRows.${entry}`, wgsl: rewardRows, entry });

/** Kernels of rewards that read signals of whole rows: loaded for runs that have such a reward. */
export const rowKernels = {
  gains: ofRows('gains'),
  upTo: ofRows('upTo'),
  product: ofRows('product'),
  named: ofRows('named'),
};
export type RowKernel = keyof typeof rowKernels;

export const rankedPairs = {
  rows: { id: 'rankedPairs.rows', wgsl: pairs, link: [ranking], entry: 'rows' },
  join: { id: 'rankedPairs.join', wgsl: pairs, link: [ranking], entry: 'join' },
} satisfies Record<string, Kernel>;
export const labelBook = {
  labels: { id: 'labelBook.labels', wgsl: book, link: [random], entry: 'labels' },
  note: { id: 'labelBook.note', wgsl: book, link: [random], entry: 'note' },
} satisfies Record<string, Kernel>;
export const budgetPay: Kernel = { id: 'budgetPay', wgsl: byBudget };
export const taught: Kernel = { id: 'taught', wgsl: share };
export const earnedTags: Kernel = { id: 'earnedTags', wgsl: earned };
export const answerProb: Kernel = { id: 'answerProb', wgsl: answers };

/** What the states of a batch cover; `cover`: the function of the world. */
export const coveredWith = (cover: string): Kernel => ({ id: 'covered', wgsl: covered, link: [cover] });
