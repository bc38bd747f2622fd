import { settings } from '../../core/settings.ts';
import { defineRevision } from './types.ts';

/** A ← clip(A, −c, c). A lone success among 64 episodes has A = 7.9 with GRPO; Knapsack RL cuts at 5. */
export const clipCredit = defineRevision({
  id: 'clipCredit',
  title: 'Cut large credit',
  rev: 1,
  source: { title: 'Knapsack RL', arxiv: '2509.25849', level: 'code' },
  needs: [],
  formula: 'A ← clip(A, −c, c)',
  look: 'Caps the credit of a lone success in a large group, so that one episode does not decide.',
  caption: 'cuts credit beyond a bound (“Cut large credit”)',
  params: settings({
    bound: {
      kind: 'number',
      label: 'Bound',
      default: 5,
      min: 0.1,
      max: 100,
      doc: 'Largest |A| of a step.',
      formula: 'c',
    },
  }),
  run(A, _seen, { bound }) {
    for (let k = 0; k < A.length; k++) A[k] = Math.max(-bound, Math.min(bound, A[k]!));
  },
  gpu: (ops, { bound }) => ops.clip(bound),
});
