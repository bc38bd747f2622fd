import { below, PURPOSE, random } from '../../../core/random.ts';
import { defineVersionRule } from '../types.ts';

/** Each task group draws its age 0 … k, all equally likely: version max(0, u − age). */
export const mixed = defineVersionRule({
  id: 'mixed',
  title: 'each task its own, 0 to k',
  params: {},
  versions({ staleness }) {
    const k = Number(staleness);
    return {
      at: (seed, update, task) => Math.max(0, update - below(random(seed, PURPOSE.rolloutAge, update, task, 0), k + 1)),
    };
  },
});
