import type { Kernel } from '../kernel.ts';
import random from './decision/random/random.wgsl?raw';
import type { LinkedWorld } from './kernels.ts';
import grow from './rollout/growTrees/growTrees.wgsl?raw';
import place from './rollout/placeRows/placeRows.wgsl?raw';
import still from './rollout/rollout/still.wgsl?raw';

/** Where no world says where ways part, nobody asks. */
const NOWHERE = 'fn envJunction(levelAt : u32, stateAt : u32) -> bool { return false; }';

/** How trees of episodes grow; `junction`: the function of the world. */
export const growTreesWith = (
  { step, flicker = still, wrapped }: LinkedWorld,
  junction: string | undefined = NOWHERE,
): Kernel => ({ id: 'growTrees', wgsl: grow, link: [random, step, flicker, junction, wrapped] });

export const placeRows: Kernel = { id: 'placeRows', wgsl: place };
