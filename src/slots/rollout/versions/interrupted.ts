import { defineVersionRule } from '../types.ts';

/** Weights are renewed within an episode: step t is played by version max(0, u − k + ⌊t(k + 1)/T⌋). */
export const interrupted = defineVersionRule({
  id: 'interrupted',
  title: 'weights renewed within an episode',
  params: {},
  versions({ staleness }) {
    const k = Number(staleness);
    return { at: (_, update, __, t, T) => Math.max(0, update - k + Math.floor((t * (k + 1)) / T)) };
  },
});
