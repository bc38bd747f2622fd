import type { RowPlan } from '../../../contract/rows.ts';
import { settings } from '../../../core/settings.ts';
import { episodeStore } from '../again/episodeStore.ts';
import { defineRollout } from '../types.ts';
import { replayed } from './replayed.ts';
import { grownTree, type SearchRule } from './tree.ts';

export const searchSettings = settings({
  width: {
    kind: 'integer',
    label: 'Width',
    default: 2,
    min: 1,
    max: 32,
    doc: 'Episodes that continue from a state once it is opened; at least a sixteenth of the group.',
  },
  maxDepth: {
    kind: 'integer',
    label: 'Deepest state',
    default: 64,
    min: 1,
    max: 1024,
    unit: 'steps',
    doc: 'States further from the start are not opened.',
  },
  wValue: {
    kind: 'number',
    label: 'Weight of the value',
    default: 0.4,
    min: 0,
    max: 10,
    doc: 'How much the value of the state before counts for where the search continues.',
    formula: '0.4·tanh(q)',
  },
  wEntropy: {
    kind: 'number',
    label: 'Weight of the entropy',
    default: 0.4,
    min: 0,
    max: 10,
    doc: 'How much it counts that the policy is unsure there; the released code has it off.',
  },
  wDepth: {
    kind: 'number',
    label: 'Weight of the depth',
    default: 0.01,
    min: 0,
    max: 10,
    doc: 'How much it counts that a state is far from the start.',
  },
  cache: {
    kind: 'integer',
    label: 'Solutions kept',
    default: 0,
    min: 0,
    max: 1024,
    doc: 'Room for solutions of hard tasks, replayed in place of a search. 0: always search.',
  },
  hardUpTo: {
    kind: 'number',
    label: 'Hard up to',
    default: 0.25,
    min: 0.01,
    max: 1,
    unit: 'of its episodes',
    doc: 'A task whose episodes succeed, but no more of them than this, is hard: it is kept.',
  },
});

/** No more than sixteen openings: every one of them is a phase, for which the batch waits. */
const widthIn = (width: number, G: number): number => Math.min(G, Math.max(width, Math.ceil(G / 16)));

/**
 * Tree search inside training: the G episodes of a task grow as one tree. `width` episodes begin at the start; then the state
 *
 *   argmax F,  F = 0.4·tanh(q of the state before) + 0.4·H/ln|A| + 0.01·√(depth/maxDepth)
 *
 * among all that were not opened yet, whichever episode met it, gets `width` episodes that go on from it, and so on. Of the
 * episodes of an opening one is backed up: a correct one if there is any, else a wrong one; of several the one with the
 * lowest mean entropy, the most confident mistake. Along its path a state at depth d of n gets ±max(d/n, 0.1); q is the mean
 * over its visits, a success takes the place of failures, and a failure never lowers a positive sum.
 * A task of which 0 < share ≤ `hardUpTo` of the episodes succeeded is hard, and its solutions are kept. When its level comes
 * again it is not searched: up to `hardUpTo`·G of them are replayed, with log π_old of the present policy, and all others
 * begin at the start. Where more of those succeed the level is forgotten, and searched again the next time.
 * (The released code opens states step by step, descending by q + 2√(ln N/N) until an end is reached; here the policy plays
 * to the end instead, so that every opening reaches one. Its cache is made anew by hand from time to time.)
 */
export const deepSearch = defineRollout({
  id: 'deepSearch',
  title: 'Tree search (DeepSearch)',
  rev: 2,
  source: { title: 'DeepSearch: overcome the bottleneck of RLVR via MCTS', arxiv: '2509.25454', level: 'code' },
  formula: 'F = 0.4·tanh(q) + 0.4·H/ln|A| + 0.01·√(d/D)',
  look: 'The episodes of a task are one tree that grows where success is near and the policy unsure.',
  params: searchSettings,
  needs: ['length', 'taskIndex', 'success', 'entropy'],
  forks: true,
  metrics: ['independent', 'replayedTasks'],
  fresh: ({ width }, groupSize) => widthIn(width, groupSize),
  next({ count, taskIndex, length, success, entropy }, context, params) {
    const { T, G, actions, tasks } = context;
    const rule: SearchRule = { ...params, width: widthIn(params.width, G) };
    const most = actions > 1 ? Math.log(actions) : 1;
    return [...new Set(Array.from(tasks))].flatMap((task) => {
      const rows = Array.from({ length: count }, (_, i) => i).filter((i) => taskIndex[i] === task);
      const known = replayed(context, task, rows, params);
      if (known) return known;
      const of = (row: number, t: number): number => entropy[rows[row]! * T + t]! / most;
      const steps = (row: number): number => length[rows[row]!]!;
      const tree = grownTree(
        {
          length: steps,
          isCorrect: (row) => success[rows[row]!] !== 0,
          entropy: of,
          meanEntropy: (row) =>
            Array.from({ length: steps(row) }, (_, t) => of(row, t)).reduce((a, b) => a + b) / steps(row),
        },
        rows.length,
        rule,
      );
      const next = tree.frontier();
      return Array.from({ length: Math.min(rule.width, G - rows.length) }, (): RowPlan =>
        next ? { task, origin: 'search', parent: rows[next.row]!, branchStep: next.step } : { task, origin: 'late' },
      );
    });
  },
  state({ cache }) {
    const { rows, actions, saved, starts } = episodeStore(cache);
    return cache > 0 ? { rows, actions, saved, starts } : {};
  },
  beside: () => ({ again: 0, imitated: 0 }),
  memory: async () => (await import('./solutionCache.ts')).solutionCache,
});
