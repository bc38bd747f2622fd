import type { StateSpec } from '../../../contract/state.ts';
import { episodeStore } from '../again/episodeStore.ts';

/** Room for n episodes with what each of their steps paid, and whether they ended by themselves. */
export const replayedSteps = (n: number): StateSpec => ({
  ...episodeStore(n),
  rewards: { type: 'f32', per: 'step', width: n, onFork: ['tasks'] },
  ended: { type: 'u8', per: 'replica', width: n, onFork: ['tasks'] },
});
