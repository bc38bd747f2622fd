import { settings } from '../../core/settings.ts';
import { TOLD_TOKENS } from '../../envs/perturb/spoken.ts';
import { taught, type Teaching } from '../../envs/perturb/taught.ts';
import { defineWrapper, u32 } from './types.ts';

/**
 * A teacher who lists subgoals (Words as Beacons): what a shortest solution of the level takes, opens and reaches, the goal
 * last. The student sees the current one and, where it is reached, the next. Only episodes that train have a teacher; at
 * evaluation what is told is blank. The paper asks a language model: here `wrong` says how often a subgoal is another one,
 * comes in the wrong order or stands at the wrong place. One that is not reached in `patience` steps is given up; one that
 * holds before it is told is passed over. Nothing changes in the world: the reward “Pay for subgoals” pays.
 *
 * The formula is this lab's, made from the abstract of the paper; `alone` is this lab's, too.
 */
export const teacher = defineWrapper({
  id: 'teacher',
  title: 'Subgoal teacher',
  rev: 1,
  source: { title: 'Words as Beacons', arxiv: '2410.08632', level: 'abstract' },
  formula: 'o ← (o, g_k), k ← k + 1 where g_k is reached or T/K steps are over',
  look: 'The agent is told where to go next; at evaluation nobody tells it anything.',
  deals: 'taught',
  params: settings({
    shows: {
      kind: 'choice',
      label: 'Is told',
      default: 'place',
      options: ['place', 'words', 'both'],
      optionLabels: ['the direction to the subgoal', 'an instruction', 'both'],
      doc: 'What the student sees of a subgoal; without a map, and in words, an instruction.',
    },
    wrong: {
      ...{ kind: 'number', label: 'Wrong subgoals', default: 0, min: 0, max: 1 },
      doc: 'Share of subgoals in which the teacher errs; it stands for a weaker language model.',
      formula: 'ε',
    },
    mistake: {
      kind: 'choice',
      label: 'Mistakes',
      default: 'any',
      options: ['any', 'object', 'order', 'place'],
      optionLabels: ['any of these', 'another object', 'the wrong order', 'the wrong place'],
      doc: 'How the teacher errs, where the level leaves room for it.',
    },
    patience: {
      ...{ kind: 'integer', label: 'Patience', default: 0, min: 0, max: 2000, unit: 'steps' },
      doc: 'Steps after which a subgoal is given up; 0 = the step limit divided by their number.',
    },
    alone: {
      ...{ kind: 'number', label: 'Without a teacher', default: 0, min: 0, max: 1 },
      doc: 'Share of a group that trains without one, as all do at evaluation.',
    },
  }),
  world: (env, params) => taught(env, params as Teaching),
  inexact: () => 'The teacher speaks only in training, and values are those of an agent that is told nothing.',
  refuses: (_params, view) => (view === 'index' ? 'has no place where the policy sees the number of the state' : null),
  wgsl: async () => (await import('./teacher.wgsl?raw')).default,
  constants: ({ shows }, { words, features, levelWords, speaks, placeBits, hasMap }) => ({
    ...{ WORDS: u32(words), PLACE: u32(levelWords), AT: u32(Math.ceil(features / 32)) },
    ...{ SPEAKS: String(speaks), CELL: u32(placeBits >= 32 ? 0xffffffff : 2 ** placeBits - 1) },
    ...{ DIRECTION: String(hasMap && shows !== 'words'), SAYS: String(!hasMap || shows !== 'place') },
    WORD: `array<u32, ${TOLD_TOKENS.length}>(${TOLD_TOKENS.map(u32).join(', ')})`,
  }),
});
