import { settings } from '../../core/settings.ts';
import { scaleNegativeCredit } from '../objective/guiLibra.ts';
import { defineRevision } from './types.ts';

/** A ← A·clamp(b₀ + b₁·mean R, 0, 1) where A < 0, mean R over the task group. */
export const softerBlame = defineRevision({
  id: 'softerBlame',
  title: 'Softer blame',
  rev: 1,
  source: { title: 'GUI-Libra', arxiv: '2602.22190', level: 'text' },
  needs: ['outcome', 'taskIndex'],
  formula: 'A ← A·clamp(b₀ + b₁·mean R, 0, 1) where A < 0',
  look: 'Bad credit counts less in groups that mostly fail, where one more failure says little.',
  caption: 'lets bad credit count less in groups that mostly fail (“Softer blame”)',
  params: settings({
    base: {
      kind: 'number',
      label: 'Blame at no success',
      default: 0.5,
      min: 0,
      max: 1,
      doc: 'Share of bad credit that counts in a group that always fails.',
      formula: 'b₀',
    },
    slope: {
      kind: 'number',
      label: 'More with success',
      default: 1.5,
      min: 0,
      max: 10,
      doc: 'How quickly blame returns as the group succeeds.',
      formula: 'b₁',
    },
  }),
  run: (A, { batch }, { base, slope }) => A.set(scaleNegativeCredit(A, batch, base, slope)),
  gpu: (ops, { base, slope }) => ops.scaleNegative(base, slope),
});
