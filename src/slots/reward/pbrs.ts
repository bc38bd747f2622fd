import { settings } from '../../core/settings.ts';
import { common } from './common.ts';
import { defineReward } from './types.ts';

/**
 * Potential-based shaping (Ng, Harada, Russell 1999).
 *
 *   F[t] = w·(γ·Φ(s[t+1]) − Φ(s[t]))     Φ := 0 where the episode ended by itself, unless it is kept
 *
 * An episode that was cut keeps the potential of its last state. The return-to-go with the same γ is the old one minus
 * w·Φ(s[t]): a baseline. With γ = 1 the sum over an episode is −w·Φ(s[0]), which all members of a group share.
 */
export const pbrs = defineReward({
  id: 'pbrs',
  title: 'Potential-based shaping',
  rev: 1,
  kind: 'additive',
  source: { title: 'Policy invariance under reward transformations', level: 'textbook' },
  needs: ['phi', 'length', 'terminated'],
  formula: 'r ← r + w·(γ·Φ(s′) − Φ(s)), Φ = 0 after the end',
  look: 'Every step toward the goal is paid at once; the best policy stays the best.',
  also: 'PBRS, dense reward, heuristic',
  params: settings({
    potential: common.potential,
    w: {
      kind: 'number',
      label: 'Weight',
      default: 1,
      min: 0,
      max: 10,
      doc: 'Size of the shaping relative to the reward of the world.',
      formula: 'w',
    },
    gamma: {
      kind: 'number',
      label: 'Discount',
      default: 0.95,
      min: 0,
      max: 1,
      doc: 'The discount of the credit; any other makes the shaping an extra reward.',
      formula: 'γ',
    },
    end: {
      kind: 'choice',
      label: 'After the end',
      default: 'zero',
      options: ['zero', 'keep'],
      optionLabels: ['zero: nothing is left', 'keep: the last state counts'],
      doc: 'Potential of the last state of an episode that ended by itself; kept, it pays for how it ended.',
    },
  }),
  potential: ({ potential, gamma }) => ({ of: potential, gamma }),
  transition: ({ w, gamma, end }) =>
    end === 'zero' ? (from, to, isOver) => w * (gamma * (isOver ? 0 : to) - from) : null,
  run({ B, T, length, terminated, phi }, { w, gamma, end }, out) {
    for (let i = 0; i < B; i++) {
      for (let t = 0; t < length[i]!; t++) {
        const at = i * (T + 1) + t;
        const isOver = t + 1 === length[i] && terminated[i] === 1 && end === 'zero';
        out[i * T + t] = w * (gamma * (isOver ? 0 : phi![at + 1]!) - phi![at]!);
      }
    }
  },
  scratch: () => 3,
  gpu: (ops, { w, gamma, end }) => ops.combine(w * gamma, ops.after('phi', end), -w, ops.before('phi')),
});
