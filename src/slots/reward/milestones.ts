import { MILESTONES } from '../../contract/signals.ts';
import { settings } from '../../core/settings.ts';
import { defineReward } from './types.ts';

/** r[t] ← r[t] + w for every milestone that step t reaches for the first time; each is paid once. */
export const milestones = defineReward({
  id: 'milestones',
  title: 'Milestones',
  rev: 1,
  kind: 'additive',
  source: { title: 'ERA', arxiv: '2510.12693', level: 'abstract' },
  needs: ['milestoneStep', 'length'],
  formula: 'r ← r + w at each milestone, once',
  look: 'Things on the way are found first: a key, a door, a box in place.',
  also: 'subgoals, process reward, dense reward, partial credit',
  params: settings({
    w: {
      kind: 'number',
      label: 'Pay',
      default: 0.1,
      min: 0,
      max: 10,
      doc: 'Paid once an episode for each milestone.',
      formula: 'w',
    },
  }),
  run({ B, T, milestoneStep }, { w }, out) {
    for (let i = 0; i < B; i++)
      for (let m = i * MILESTONES; m < (i + 1) * MILESTONES; m++)
        if (milestoneStep![m]! >= 0) out[i * T + milestoneStep![m]!]! += w;
  },
  scratch: () => 2,
  gpu(ops, { w }) {
    const reached = ops.named('milestoneStep');
    return ops.combine(w, reached, 0, reached);
  },
});
