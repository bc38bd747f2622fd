import { settings } from '../../core/settings.ts';

/** Settings that mean the same in several optimizers. */
export const common = settings({
  momentum: {
    kind: 'number',
    label: 'Momentum',
    default: 0,
    min: 0,
    max: 0.9999,
    doc: 'Share of the last move that is repeated.',
    formula: 'μ',
  },
  epsilon: {
    kind: 'number',
    label: 'Epsilon',
    default: 1e-8,
    min: 1e-12,
    max: 0.1,
    scale: 'log',
    doc: 'Added to the scale: gradients far below it barely move a weight.',
    formula: 'ε',
  },
  weightDecay: {
    kind: 'number',
    label: 'Weight decay',
    default: 0,
    min: 0,
    max: 1,
    doc: 'Pulls weights toward 0, separately from the gradient.',
    formula: 'λ',
  },
});
