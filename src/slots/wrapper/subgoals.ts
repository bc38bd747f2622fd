import { settings } from '../../core/settings.ts';
import { subgoaled } from '../../envs/perturb/subgoaled.ts';
import { defineWrapper, noRoomIn } from './types.ts';

/**
 * Subgoals that the policy sets itself. What it decides beside its actions are steps of their own, in which the world stands
 * still, each with a log-probability, entropy, ratio, value and credit: whether the subgoal is kept (switch), which one
 * follows (subgoal), or the entries of a plan that is made once. So one network is planner and executor, and credit can tell
 * them apart by the role of a step (column `decides`).
 */
export const subgoals = defineWrapper({
  id: 'subgoals',
  title: 'Subgoals of its own',
  rev: 1,
  source: { title: 'HiPER', arxiv: '2602.16165', level: 'code' },
  formula: 'π(w, g, a | o) = π(w | o, g before)·π(g | o)·π(a | o near, g)',
  look: 'One subgoal is held for several steps and changes where it is reached.',
  also: 'hierarchy, planner, executor, options, HiPER, HiMAC, CoDA, blueprint, plan, manager, worker',
  gives: 'decides',
  tells: ['decides', 'subgoal', 'subgoalHeld'],
  params: settings({
    mode: {
      kind: 'choice',
      label: 'Chosen',
      default: 'segments',
      options: ['segments', 'blueprint', 'given'],
      optionLabels: ['before any step (HiPER)', 'as a plan, once (HiMAC)', 'by the solver, in its order (VSC-RL)'],
      doc: 'At every step keep or switch; a whole plan first; or a list that moves on when one is reached.',
    },
    entries: {
      ...{ kind: 'integer', label: 'Entries of a plan', default: 5, min: 1, max: 6, formula: 'K' },
      doc: 'Subgoals of a plan at most; after T/K steps the next one follows by itself.',
      when: { setting: 'mode', is: ['blueprint'] },
    },
    sees: {
      kind: 'choice',
      label: 'Who acts sees',
      default: 'local',
      options: ['local', 'full'],
      optionLabels: ['what is nearby, and the subgoal', 'everything, and the subgoal'],
      doc: 'A subgoal matters most where little else is seen.',
    },
    vocabulary: {
      kind: 'choice',
      label: 'Subgoals are',
      default: 'things',
      options: ['things', 'other'],
      optionLabels: ['things of the level', 'parts of the map, where there is one'],
      doc: 'Keys, doors and goals; boxes on targets; facts and rooms. A grid-world also has tiles.',
    },
  }),
  world: (env, { mode, entries, sees, vocabulary }) =>
    subgoaled(env, {
      ...{ mode: mode as 'segments' | 'blueprint' | 'given', entries, isLocal: sees === 'local' },
      vocabulary: vocabulary === 'things' ? 0 : 1,
    }),
  darkens: ({ sees }) => (sees === 'local' ? { setting: 'sees', instead: 'full' } : null),
  refuses: (_params, view) => noRoomIn(view),
  onlyOnCpu: true,
  wgsl: async () => '',
});
