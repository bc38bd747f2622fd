import { settings, type ValuesOf } from '../../core/settings.ts';

/**
 * FLARE: lookahead at decision time. The agent stays as it is trained; before it acts it plays D steps ahead in the world
 * itself, values the states where it stops, acts on the best first action, and looks again after `commit` steps.
 */
export const lookahead = {
  id: 'lookahead',
  title: 'Lookahead',
  rev: 1,
  source: { title: 'FLARE: lookahead at decision time', arxiv: '2601.22311', level: 'abstract' },
  formula: 'Q_d(s,a) = E[r + γ·max_a′ Q_{d−1}(s′,a′)],  Q_0 = leaf',
  look: 'Where a reward comes first and a dead end after it, one step ahead walks in; four steps see it.',
  params: settings({
    depth: { kind: 'integer', label: 'Depth', default: 6, min: 1, max: 12, doc: 'Steps that are looked ahead.' },
    width: {
      kind: 'integer',
      label: 'Width',
      default: 0,
      min: 0,
      max: 32,
      doc: 'Only this many of the policy’s most probable actions are tried in a state; 0 = all.',
    },
    leaf: {
      kind: 'choice',
      label: 'Value at the end',
      default: 'value',
      options: ['value', 'potential', 'none'],
      optionLabels: ['V of the critic', 'distance to the goal', 'nothing'],
      doc: 'What a state counts where the search stops.',
    },
    commit: {
      kind: 'integer',
      label: 'Steps before looking again',
      default: 1,
      min: 1,
      max: 12,
      doc: 'Actions of a plan that are carried out before the next one is made; at most the depth.',
    },
    gamma: {
      kind: 'number',
      label: 'Discount',
      default: 0.99,
      min: 0.5,
      max: 1,
      doc: 'Below 1 a goal is wanted soon; at 1 every way that still leads there looks equally good.',
    },
  }),
} as const;

export type LookaheadSettings = ValuesOf<typeof lookahead.params>;

/** Steps that are looked ahead at step t of T: beyond the limit there is nothing to see. */
export const depthAt = (depth: number, t: number, T: number): number => Math.min(depth, T - t);
