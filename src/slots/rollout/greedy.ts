import type { SideEpisodes } from './types.ts';

/** One episode per task with the most likely action of every step: what ReMax compares with. */
export const greedy: SideEpisodes = {
  id: 'greedy',
  makes: 'greedyReturn',
  // leaves only the largest logit in the softmax; equal ones are drawn
  temperature: 1e-9,
};
