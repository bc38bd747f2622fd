import { settings } from '../../core/settings.ts';
import type { Alone, Rows } from '../types.ts';
import type { Singleton } from './trajectoryCredit.ts';

/** Settings that mean the same in several estimators. */
export const common = settings({
  gamma: {
    kind: 'number',
    label: 'Discount',
    default: 0.95,
    min: 0,
    max: 1,
    doc: 'Below 1, reaching the goal sooner counts more.',
    formula: 'γ',
  },
  omega: {
    kind: 'number',
    label: 'Step weight',
    default: 1,
    min: 0,
    max: 10,
    doc: 'Weight of the step part relative to the episode part.',
    formula: 'ω',
  },
  mode: {
    kind: 'choice',
    label: 'Scale',
    default: 'std',
    options: ['std', 'mean'],
    optionLabels: ['divide by the spread', 'only subtract the mean'],
    doc: 'Divide by the spread of each group, or only subtract the mean.',
  },
  rows: {
    kind: 'choice',
    label: 'Outcome statistics',
    default: 'trajectories',
    options: ['trajectories', 'steps'],
    optionLabels: ['each trajectory once', 'each of its steps once (verl-agent)'],
    doc: 'Counted per step, long trajectories pull the group mean toward themselves.',
  },
  singleton: {
    kind: 'choice',
    label: 'A member alone in its set',
    default: 'zero',
    options: ['zero', 'return'],
    optionLabels: ['nothing to compare: no credit', 'its return (verl)'],
    doc: 'What an episode gets that has no other to be compared with.',
  },
});

/** Groups of one, where a return may stand for itself: counted by steps, it is compared with itself. */
export const aloneAsGiven = ({ rows, singleton }: { rows: Rows; singleton: Singleton }): Alone =>
  singleton === 'return' && rows === 'trajectories' ? 'anyway' : 'nothing';
