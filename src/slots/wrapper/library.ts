import { recalled } from '../../envs/perturb/recalled.ts';
import { settings } from '../../core/settings.ts';
import { defineWrapper, noRoomIn, u32 } from './types.ts';

/**
 * Room in what the agent sees for what a rollout remembers of a state: how often each action was good and how often it was
 * bad there, as eight bits an action. Blank until a rollout writes into it. Nothing changes in the world.
 */
export const library = defineWrapper({
  id: 'library',
  title: 'Room for a library',
  rev: 1,
  source: { title: 'SLEA-RL', arxiv: '2603.18079', level: 'code' },
  formula: 'o ← (o, m),  m = 0 where nothing is recalled',
  look: 'Blank, unless a rollout remembers what was good and bad in a state.',
  gives: 'recalls',
  also: 'experience, retrieval, external memory',
  params: settings({}),
  world: (env) => recalled(env),
  inexact: () => 'The agent acts on what is recalled, and values are those of an agent that recalls nothing.',
  refuses: (_params, view) => noRoomIn(view),
  wgsl: async () => (await import('./library.wgsl?raw')).default,
  constants: (_params, { features, actions }) => ({
    ...{ AT: u32(Math.ceil(features / 32)), COUNT: u32(Math.ceil(actions / 4)) },
  }),
});
