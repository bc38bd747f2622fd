import { settings } from '../../core/settings.ts';
import { common } from './common.ts';
import { defineReward } from './types.ts';

/**
 * Pay for every step that comes closer, and nothing for one that goes away.
 *
 *   r[t] ← r[t] + w·max(0, Φ(s[t+1]) − Φ(s[t]))
 *
 * It looks like shaping and is none: a step back is free, so stepping back and forth pays for ever. Potential-based shaping
 * charges the step back, and is the mended twin. With Φ = milestones nothing can be farmed: they are latched.
 */
export const progress = defineReward({
  id: 'progress',
  title: 'One-sided progress',
  rev: 1,
  kind: 'additive',
  source: { title: 'Policy invariance under reward transformations', level: 'textbook' },
  needs: ['phi', 'length'],
  formula: 'r ← r + w·max(0, Φ(s′) − Φ(s))',
  look: 'The agent steps back and forth: every step forward is paid again.',
  also: 'dense reward, reward hacking',
  params: settings({
    potential: { ...common.potential, doc: 'What counts as closer.' },
    w: {
      kind: 'number',
      label: 'Weight',
      default: 1,
      min: 0,
      max: 10,
      doc: 'Pay for the whole way to the goal, walked once.',
      formula: 'w',
    },
  }),
  potential: ({ potential }) => ({ of: potential, gamma: 1 }),
  mostPerStep: ({ potential, w }, T) => (w * (potential === 'milestone' ? 1 : Math.ceil(T / 2))) / T,
  transition:
    ({ w }) =>
    (from, to) =>
      w * Math.max(0, to - from),
  run({ B, T, length, phi }, { w }, out) {
    for (let i = 0; i < B; i++)
      for (let t = 0; t < length[i]!; t++) {
        const at = i * (T + 1) + t;
        out[i * T + t] = w * Math.max(0, phi![at + 1]! - phi![at]!);
      }
  },
  scratch: () => 5,
  gpu(ops, { w }) {
    const d = ops.combine(1, ops.after('phi', 'keep'), -1, ops.before('phi'));
    return ops.combine(w / 2, d, w / 2, ops.map('abs', d));
  },
});
