import { LOADED_AHEAD } from '../core/marks.ts';
import { prepareMethods, prepareNetworks, prepareWorlds } from '../config/level.ts';

/** All that the worker loads on demand, but for the kernels, which come with the device that runs them. */
export async function preload(): Promise<void> {
  const parts = [
    () => import('../lab/creditDeep.ts'),
    () => import('../lab/creditStep.ts'),
    () => import('../lab/explainers.ts'),
    () => import('../lab/followed.ts'),
    () => import('../lab/rewardView.ts'),
    () => import('../lab/measurements.ts'),
    () => import('../lab/inside.ts'),
    () => import('../engine/clone.ts'),
    prepareMethods,
    prepareNetworks,
    prepareWorlds,
    () => import('../engine/cpu/stepScores.ts'),
    () => import('../engine/cpu/sideEpisodes.ts'),
    () => import('../engine/cpu/start.ts'),
    () => import('./rowCores.ts'),
    () => import('./profileScratch.ts'),
    () => import('../config/problems.ts'),
    () => import('../gpu/device.ts'),
    () => import('./calibration.ts'),
    () => import('./curveColumns.ts'),
    () => import('./storyCommands.ts'),
    () => import('./walking.ts'),
    () => import('./contest.ts'),
    () => import('./keeper.ts'),
  ];
  // what does not come now is asked for again when it is wanted
  for (const part of parts) await part().catch(() => undefined);
  performance.mark(LOADED_AHEAD);
}
