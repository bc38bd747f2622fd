import { defineRollout } from './types.ts';

/** Every row is a fresh one of the policy, played from the start of its level to its end. */
export const sampled = defineRollout({
  id: 'sampled',
  title: 'Sampled episodes',
  rev: 1,
  look: 'Every episode starts at the start of its level.',
  params: {},
});
