import type { Kernel } from '../kernel.ts';
import decide from './decision/policyHead/decide.wgsl?raw';
import softmax from './decision/units/softmax.wgsl?raw';
import { ACTION, placesOf, randomWgsl, type LinkedWorld } from './kernels.ts';
import played from './rollout/fusedRollout/played.wgsl?raw';
import moves from './rollout/rollout/moves.wgsl?raw';
import playedStep from './rollout/rollout/playedStep.wgsl?raw';
import softMin from './network/critic/softMin.wgsl?raw';
import still from './rollout/rollout/still.wgsl?raw';

/** Decision, move and what is seen next of a step whose network is dispatches of their own. */
export const playedStepWith = (world: LinkedWorld): Kernel => ({
  id: 'rollout.played',
  wgsl: playedStep,
  link: [
    ...[played, randomWgsl, ...placesOf(world), world.step, world.flicker ?? still, world.wrapped, moves],
    ...[softMin, ...ACTION, softmax, decide],
  ],
  entry: 'played',
});
