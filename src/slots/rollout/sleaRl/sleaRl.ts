import { settings } from '../../../core/settings.ts';
import { defineRollout } from '../types.ts';

/** Actions of a state that are counted at most. */
export const ACTIONS = 32;

export const sleaSettings = settings({
  keys: {
    ...{ kind: 'integer', label: 'States remembered', default: 256, min: 16, max: 2048, scale: 'log' },
    doc: 'Room of the library; the state with the fewest counts makes room for a better one.',
  },
  admitted: {
    ...{ kind: 'integer', label: 'New states of a task', default: 16, min: 1, max: 256, scale: 'log' },
    doc: 'States that each task may add in an update, those with the largest credit first.',
  },
  forget: {
    ...{ kind: 'number', label: 'Kept per update', default: 0.9, min: 0, max: 1 },
    doc: 'All counts shrink by this factor after each update, so that old experience fades.',
  },
  dropout: {
    ...{ kind: 'number', label: 'Episodes without it', default: 0.2, min: 0, max: 1, unit: 'of all' },
    doc: 'This share of training episodes sees no library, so that the policy learns to do without.',
  },
  evaluated: {
    kind: 'choice',
    label: 'Evaluations',
    default: 'alone',
    options: ['alone', 'library'],
    optionLabels: ['without the library', 'with the library as it is'],
    doc: 'Compare the two: is the memory or the network solving the task?',
  },
});

/**
 * A library remembers which actions were good or bad in a state, and the policy sees that where it meets the state again:
 *
 *   good(s, a)  counts a in successful episodes where A > 0      bad(s, a)  in failed ones where A < 0
 *   o ← (o, ln(1 + good(s, ·))/ln 17, ln(1 + bad(s, ·))/ln 17)    both ·0.9 after every update
 *
 * States of different levels are different ones. Nothing is learned through the library, and credit compares states of the
 * world, as if it did not exist. The numbers are seen in four steps. (In the paper a language model writes what is remembered;
 * this restatement is the lab's.)
 */
export const sleaRl = defineRollout({
  id: 'sleaRl',
  title: 'Library of experience (SLEA-RL)',
  rev: 1,
  source: { title: 'SLEA-RL; own restatement', arxiv: '2603.18079', level: 'code' },
  formula: 'o ← (o, ln(1 + good(s, ·))/ln 17, ln(1 + bad(s, ·))/ln 17)',
  look: 'More and more states are recalled. Evaluated without the library, success shows what the network itself can do.',
  params: sleaSettings,
  wants: 'recalls',
  metrics: ['recalledShare'],
  state: ({ keys }) => ({
    keys: { type: 'u32', per: 'replica', width: 3 * keys, onFork: ['tasks'] },
    counts: { type: 'f32', per: 'replica', width: 2 * ACTIONS * keys, onFork: ['tasks'] },
  }),
  beside: () => ({ again: 0, imitated: 0 }),
  memory: async () => (await import('./sleaMemory.ts')).sleaMemory,
});
