import { settings } from '../../core/settings.ts';
import { hinted } from '../../envs/perturb/hinted.ts';
import { defineWrapper, noRoomIn, u32 } from './types.ts';

/**
 * Room for hints in what the agent sees: blank, unless a rollout gives a hint to an episode that it plays once more. Twelve
 * hints in three tiers: what comes next and where it is, the direction to it, what a shortest solution does. Nothing changes in
 * the world, and evaluations never have a hint.
 *
 * The tiers are those of Scaf-GRPO; what they tell of a level is this lab's, as the paper has a language model write them.
 */
export const hints = defineWrapper({
  id: 'hints',
  title: 'Room for hints',
  rev: 1,
  source: { title: 'Scaf-GRPO', arxiv: '2510.19807', level: 'digest' },
  formula: 'o ← (o, h),  h = 0 without a hint',
  look: 'Blank, unless a rollout gives a hint to an episode that it plays once more.',
  deals: 'hints',
  also: 'scaffolding, hint channel',
  params: settings({}),
  world: (env) => hinted(env),
  inexact: () => 'Some episodes act on hints, and values are those of an agent that gets none.',
  refuses: (_params, view) => noRoomIn(view),
  wgsl: async () => (await import('./hints.wgsl?raw')).default,
  constants: (_params, { features, hasMap }) => ({
    ...{ AT: u32(Math.ceil(features / 32)), COUNT: u32(hasMap ? 4 : 2) },
  }),
});
