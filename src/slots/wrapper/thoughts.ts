import { settings } from '../../core/settings.ts';
import { REFUSED_WORD, TAG_WORDS } from '../../envs/perturb/spoken.ts';
import { tagged } from '../../envs/perturb/tagged.ts';
import { defineWrapper, u32 } from './types.ts';

/**
 * A thought before each action (RLVMR). The policy chooses a pair (tag, action), tag in none, plan, explore, reflect, monitor:
 *
 *   π(tag, a | o) = π(tag | o)·π(a | tag, o)        action = own·tag + a, own: actions of the world
 *
 * A policy that chooses whole actions has one logit for each pair, so its action depends on the tag as it likes; one that
 * writes words writes the tag first, as a word of its own with a log-probability of its own. The tag changes nothing in the
 * world. What the last step was is seen: its tag, or that it was refused, as one word behind the observation; without it a
 * policy without a memory could not know what to reflect on.
 */
export const thoughts = defineWrapper({
  id: 'thoughts',
  title: 'Thought before each action',
  rev: 1,
  source: { title: 'RLVMR', arxiv: '2507.22844', level: 'code' },
  formula: 'π(tag, a|o) = π(tag|o)·π(a|tag, o)',
  look: 'Each step says what it is for: plan, explore, reflect, monitor or none.',
  also: 'thinking, reasoning, chain of thought, tags',
  params: settings({}),
  world: tagged,
  wgsl: async () => (await import('./thoughts.wgsl?raw')).default,
  constants: (_params, { words, features, actions, speaks }) => ({
    ...{ WORDS: u32(words), ACTIONS: u32(actions), AT: u32(Math.ceil(features / 32)) },
    ...{ SPEAKS: speaks ? 'true' : 'false', REFUSED_WORD: u32(REFUSED_WORD) },
    WORD: `array<u32, 5>(${TAG_WORDS.map(u32).join(', ')})`,
  }),
});
