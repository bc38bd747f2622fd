import { settings } from '../../core/settings.ts';
import { optioned } from '../../envs/perturb/optioned.ts';
import { defineWrapper, u32 } from './types.ts';

/**
 * Options that are given and not learned: action a, k times in a row (Sutton, Precup and Singh 1999, "Between MDPs and
 * semi-MDPs"; hierarchy.md §0.1 with the subgoal "k times a"). A choice is made where no option runs; for the k steps of an
 * option its own action is the only legal one. So every step stays a step of the world: it is counted, paid and discounted
 * on its own, a choice at s earns R = Σ_{t=s}^{s+k−1} γ^{t−s} r_t and is followed by γ^k V(s + k), and steps in which nothing
 * is chosen have one legal action, hence no gradient and no entropy. The end of the episode ends an option.
 */
export const options = defineWrapper({
  id: 'options',
  title: 'Options',
  rev: 1,
  source: { title: 'Between MDPs and semi-MDPs (Artificial Intelligence 112)', level: 'textbook' },
  formula: 'a chosen at s acts in s … s + k − 1',
  look: 'One choice, several steps: far goals are found by chance sooner.',
  params: settings({
    length: {
      kind: 'integer',
      label: 'Steps of an option',
      default: 4,
      min: 2,
      max: 16,
      unit: 'steps',
      doc: 'How often an action is repeated before the next choice.',
      formula: 'k',
    },
    singles: {
      kind: 'switch',
      label: 'Single steps too',
      default: false,
      doc: 'Each action can also be chosen for one step.',
    },
  }),
  refuses: (_params, view) =>
    view === 'tokens' ? 'repeats actions, and no written command says how often; choose a view without words' : null,
  world: (env, params) => optioned(env, params),
  wgsl: async () => (await import('./options.wgsl?raw')).default,
  constants: ({ length, singles }, { words }) => ({
    ...{ LENGTH: u32(length), SINGLES: u32(singles ? 1 : 0), WORDS: u32(words) },
  }),
});
