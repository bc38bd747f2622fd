import { settings } from '../core/settings.ts';

/** How many levels there are, and which of them are the same. */
export const levelSettings = settings({
  levels: {
    kind: 'integer',
    label: 'Different levels',
    default: 1,
    min: 0,
    max: 4096,
    doc: 'How many generated levels training draws from; 0 = a new one for every task.',
  },
  sameLevels: {
    kind: 'choice',
    label: 'Levels count as one',
    default: 'seed',
    options: ['seed', 'equal', 'turned'],
    optionLabels: ['never', 'if they are equal', 'if one is the other turned'],
    doc: 'Levels that count as one are dealt once: among different, new and held-out ones.',
  },
  poolLevels: {
    kind: 'switch',
    label: 'Anchor groups over tasks',
    default: false,
    doc: 'A state is compared with what followed it in all tasks that play the same level.',
  },
});
