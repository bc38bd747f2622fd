import type { Kernel } from '../kernel.ts';
import everyStep from './network/gruCell/everyStep.wgsl?raw';
import walk from './network/gruCell/gruWalk.wgsl?raw';
import walkBack from './network/gruCell/gruWalkBackward.wgsl?raw';
import kept from './network/gruCell/kept.wgsl?raw';
import listedSteps from './network/gruCell/listedSteps.wgsl?raw';
import unit from './network/gruCell/unit.wgsl?raw';
import unitBack from './network/gruCell/unitBack.wgsl?raw';
import startOf from './rollout/liveSteps/startOf.wgsl?raw';

/** Numbers of a memory that invocations of a workgroup can share, four for each. */
export const WIDEST_WALK = 64;
const memoryOf = (hidden: number): string => `const MEMORY = ${hidden}u;\nconst LANES = ${4 * hidden}u;`;
const stepsOf = (isListed: boolean): readonly string[] => (isListed ? [startOf, listedSteps] : [everyStep]);

/** All steps of a gated recurrent unit in one dispatch, and the way back; `isListed`: those of a list. */
export const gruWalkWith = (hidden: number, isListed: boolean): Kernel => ({
  id: 'gruWalk',
  wgsl: walk,
  link: [memoryOf(hidden), unit, ...stepsOf(isListed), kept],
});
export const gruWalkBackwardWith = (hidden: number, isListed: boolean): Kernel => ({
  id: 'gruWalkBackward',
  wgsl: walkBack,
  link: [memoryOf(hidden), unitBack, ...stepsOf(isListed)],
});
