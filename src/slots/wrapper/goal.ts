import { aimed } from '../../envs/perturb/aimed.ts';
import { settings } from '../../core/settings.ts';
import { defineWrapper, noRoomIn, u32 } from './types.ts';

/**
 * The goal as a part of what is seen: the cell of the grid, the boxes on targets, the room, as in the last state of a shortest
 * solution. Nothing changes in the world. With it a policy can be asked for something, and a rollout may ask for something else
 * where episodes are played again.
 */
export const goal = defineWrapper({
  id: 'goal',
  title: 'Goal in what is seen',
  rev: 1,
  source: { title: 'Universal value function approximators', level: 'textbook' },
  formula: 'o ← (o, g)',
  look: 'The agent sees what it is asked for; by itself this changes little.',
  gives: 'goals',
  also: 'goal-conditioned, UVFA, hindsight',
  params: settings({
    carried: {
      kind: 'switch',
      label: 'With what is carried',
      default: false,
      doc: 'Keys and items held at the goal belong to it.',
    },
  }),
  world: (env, params) => aimed(env, params),
  refuses: (_params, view) => noRoomIn(view),
  wgsl: async () => (await import('./goal.wgsl?raw')).default,
  constants: (_params, { features, words, innerWords, levelWords }) => ({
    ...{ AT: u32(Math.ceil(features / 32)), COUNT: u32(words - innerWords), PLACE: u32(levelWords) },
  }),
});
