import type { Kernel } from '../kernel.ts';
import random from './decision/random/random.wgsl?raw';
import draw from './rollout/envWalk/draw.wgsl?raw';
import envWalk from './rollout/envWalk/envWalk.wgsl?raw';
import hash from './rollout/envWalk/hash.wgsl?raw';

/** Environments and random numbers as golden values ask for them: for tests and the device check, no run uses them. */
export const envWalkWith = (step: string): Kernel => ({ id: 'envWalk', wgsl: envWalk, link: [random, step] });
export const goldenDraw: Kernel = { id: 'goldenDraw', wgsl: draw, link: [random] };
export const goldenHash: Kernel = { id: 'goldenHash', wgsl: hash, link: [random] };
