import { defineVersionRule } from '../types.ts';

/** All of update u is played by version max(0, u − k). */
export const fixed = defineVersionRule({
  id: 'fixed',
  title: 'all equally old',
  params: {},
  playsOne: true,
  versions({ staleness }) {
    const k = Number(staleness);
    return { at: (_, update) => Math.max(0, update - k) };
  },
});
