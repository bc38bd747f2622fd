import type { Kernel } from '../kernel.ts';
import nearKl from './decision/playedKl/nearKl.wgsl?raw';
import klOfRows from './decision/playedKl/rows.wgsl?raw';
import klOfSteps from './decision/playedKl/steps.wgsl?raw';
import playedKl from './decision/playedKl/playedKl.wgsl?raw';
import chunkRows from './decision/units/chunkRows.wgsl?raw';
import softmax from './decision/units/softmax.wgsl?raw';
import { ACTION, EVERY_STEP, WORDS } from './kernels.ts';

/** Over every step of a batch, or what `places` says of a list. */
export const playedKlWith = (places: readonly string[] = EVERY_STEP): Kernel => ({
  id: 'playedKl',
  wgsl: playedKl,
  link: [...ACTION, klOfSteps, ...places, softmax, nearKl],
});

/** Where a step may have several units. */
export const playedKlWords: Kernel = {
  id: 'playedKl.words',
  wgsl: playedKl,
  link: [...WORDS, klOfRows, chunkRows, softmax, nearKl],
};
