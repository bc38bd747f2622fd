import type { BatchView } from '../../engine/backend.ts';
import { chances } from './exactSuccess.ts';
import { watching } from './types.ts';

/** How far single updates go: measures that look at an arm after each of them. */

export const worstDrop = watching({
  id: 'worstDrop',
  doc: 'worstDrop(arm): how far the exact success of the policy has ever been below its best so far, over all updates, per seed.',
  takes: [],
  watch: () => {
    const best: number[] = [];
    const drop: number[] = [];
    return {
      see: async (arm) => {
        if (arm.updates === 0) return;
        for (const [s, now] of (await chances(arm)).entries()) {
          best[s] = Math.max(best[s] ?? 0, now);
          drop[s] = Math.max(drop[s] ?? 0, best[s]! - now);
        }
      },
      value: () => drop,
    };
  },
});

export const mostOutside = watching({
  id: 'mostOutside',
  doc: 'mostOutside(arm, clip): largest share, over all updates, of steps whose ratio ends the update outside 1 − clip … 1 + clip, whatever the bounds of the objective, per seed.',
  takes: ['number'],
  watch: (clip) => {
    const most: number[] = [];
    return {
      see: async (arm) => {
        if (arm.updates === 0) return;
        for (let s = 0; s < arm.S; s++) most[s] = Math.max(most[s] ?? 0, outside(await arm.view(s), clip));
      },
      value: () => most,
    };
  },
});

/** Share of the steps of a batch whose ratio after the update is beyond the bounds. */
function outside({ batch, delta }: BatchView, clip: number): number {
  let [steps, beyond] = [0, 0];
  for (let i = 0; i < batch.B; i++) {
    for (let k = i * batch.T; k < i * batch.T + batch.length[i]!; k++) {
      steps++;
      if (Math.abs(Math.exp(delta[k]!) - 1) > clip) beyond++;
    }
  }
  return beyond / steps;
}
