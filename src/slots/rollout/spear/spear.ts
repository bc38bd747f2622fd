import { settings } from '../../../core/settings.ts';
import { episodeStore } from '../again/episodeStore.ts';
import { IMITATION } from '../memory/types.ts';
import { defineRollout } from '../types.ts';

/** Stored episodes above the baseline, in shares of K, after which all of them are imitated. */
export const FULL = 1.5;

export const spearSettings = settings({
  rows: {
    kind: 'integer',
    label: 'Episodes played again',
    default: 16,
    min: 1,
    max: 512,
    scale: 'log',
    doc: 'Stored episodes that train beside each batch, at most; drawn from those that are still good.',
  },
  kept: {
    kind: 'integer',
    label: 'Buffer size',
    default: 256,
    min: 8,
    max: 4096,
    scale: 'log',
    doc: 'K: with 1.5·K episodes above the baseline, all are imitated once and the buffer is emptied.',
    formula: 'K',
  },
  maxAge: {
    kind: 'integer',
    label: 'Oldest episode',
    default: 5,
    min: 1,
    max: 1000,
    scale: 'log',
    unit: 'updates',
    doc: 'Episodes older than this are forgotten: the policy has moved too far from them.',
  },
  coef: {
    kind: 'number',
    label: 'Weight of imitation',
    default: 1,
    min: 0,
    max: 10,
    doc: 'How much the stored episodes count next to the batch once the weight has risen.',
    formula: 'coef',
  },
  rise: {
    kind: 'integer',
    label: 'Rises over',
    default: 100,
    min: 1,
    max: 10_000,
    scale: 'log',
    unit: 'updates',
    doc: 'The weight rises from 0 to its full size in this time, so that exploration comes first.',
    formula: 'U_up',
  },
  baseline: {
    kind: 'choice',
    label: 'Baseline now',
    default: 'global',
    options: ['global', 'perTask'],
    optionLabels: ['median over all tasks', 'median of the same level'],
    doc: 'What a stored return is compared with: group means of all levels, or of its own level alone.',
  },
  history: {
    kind: 'integer',
    label: 'Group means remembered',
    default: 512,
    min: 8,
    max: 16_384,
    scale: 'log',
    doc: 'The baseline is the median of the newest group means.',
  },
});

/**
 * Good episodes of the last updates are trained again, as long as they are better than what the policy does now:
 *
 *   b = median of the newest group means    Ã[i] = R[i] − b    kept: A[i] > 0 then and Ã[i] > 0 now
 *   L = L(batch) + w(u)·L(kept with Ã and their stored π_old)    w(u) = coef·(1 − cos(πu/U_up))/2 up to U_up
 *
 * An episode is stored if A > 0 and it succeeded or earned something. On outcomes of 0 and 1 the baseline is a switch: once
 * more than half of the groups succeed, nothing is played again. (The released code draws subsets of size 2^k, for batching.)
 */
export const spear = defineRollout({
  id: 'spear',
  title: 'Good episodes again (SPEAR)',
  rev: 2,
  source: { title: 'SPEAR: self-imitation with progressive exploration', arxiv: '2509.22601', level: 'code' },
  formula: 'Ã = R − median of group means',
  look: 'A rare success teaches for several updates; the share still good falls as the policy improves.',
  params: spearSettings,
  metrics: ['againRows', 'againKept', 'imitatedRows'],
  state: ({ kept, history }) => ({
    ...episodeStore(Math.floor(FULL * kept) + 1),
    history: { type: 'f64', per: 'replica', width: 1 + 2 * history, onFork: ['tasks'] },
    ...IMITATION,
  }),
  beside: ({ rows }) => ({ again: rows, imitated: rows }),
  memory: async () => (await import('./spearMemory.ts')).spearMemory,
});
