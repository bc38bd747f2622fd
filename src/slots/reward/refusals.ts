import { settings } from '../../core/settings.ts';
import { defineReward } from './types.ts';

/** r[t] ← r[t] − w where the action of step t was refused. */
export const refusals = defineReward({
  id: 'refusals',
  title: 'Cost of refused actions',
  rev: 1,
  kind: 'additive',
  source: { title: 'ERA', arxiv: '2510.12693', level: 'abstract' },
  needs: ['invalid'],
  formula: 'r ← r − w where the action was refused',
  look: 'The share of refused actions falls; success may come later or sooner.',
  also: 'invalid actions, bumps, penalty, format reward',
  params: settings({
    w: {
      kind: 'number',
      label: 'Cost',
      default: 0.01,
      min: 0,
      max: 10,
      doc: 'Taken off for each action that was refused.',
      formula: 'w',
    },
  }),
  run({ invalid }, { w }, out) {
    for (let k = 0; k < out.length; k++) out[k] = invalid![k] === 0 ? 0 : -w * invalid![k]!;
  },
  scratch: () => 1,
  gpu: (ops, { w }) => ops.combine(-w, ops.signal('invalid'), 0, ops.signal('invalid')),
});
