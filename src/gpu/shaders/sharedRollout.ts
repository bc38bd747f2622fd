import type { Kernel } from '../kernel.ts';
import {
  NEAR_BYTES,
  placesOf,
  PLAYERS,
  playedBy,
  seenOn,
  WORKGROUP_BYTES,
  type Chain,
  type LinkedWorld,
} from './kernels.ts';
import far from './rollout/rollout/far.wgsl?raw';
import farLevels from './rollout/sharedRollout/farLevels.wgsl?raw';
import nearLevels from './rollout/sharedRollout/nearLevels.wgsl?raw';
import sharedChain from './rollout/sharedRollout/sharedChain.wgsl?raw';
import sharedRollout from './rollout/sharedRollout/sharedRollout.wgsl?raw';

/** Episodes up to which a device has room for as many invocations as their first layers have fours of columns. */
const FEW_EPISODES = 4096;

/** A world that looks at its level in `level`. */
function looksNear({ step, flicker, wrapped, ...sizes }: LinkedWorld): LinkedWorld {
  const near = (text: string): string => text.replaceAll('levels[', 'level[');
  return { ...sizes, step: near(step), flicker: flicker && near(flicker), wrapped: near(wrapped) };
}

/**
 * Many steps in one dispatch for layers as wide as a workgroup can hold: it has an invocation for every four columns of a
 * trajectory where these are few.
 */
export function sharedRolloutWith(world: LinkedWorld, network: Chain, episodes: number): Kernel {
  const { words, obsWords, levelWords } = world;
  const { widths } = network;
  const blocks = Math.ceil(Math.max(...widths.slice(1, -1)) / 4);
  const least = Math.ceil(blocks / 16) * 32;
  const most = episodes <= FEW_EPISODES ? PLAYERS * Math.ceil(widths[1]! / 4) : 0;
  const group = `const GROUP = ${Math.max(least, Math.min(256, 32 * Math.ceil(most / 32)))}u;`;
  const taken = 4 * PLAYERS * (Math.max(...widths.slice(1)) + widths.at(-1)!) + 128;
  const places = placesOf(world, PLAYERS, WORKGROUP_BYTES - taken);
  const left = WORKGROUP_BYTES - taken - (places[0] === far ? 0 : 4 * PLAYERS * (words + obsWords));
  const isNear = 4 * levelWords <= Math.min(NEAR_BYTES, left / PLAYERS);
  const level = `const LEVEL_WORDS = ${levelWords}u;\nvar<workgroup> level : array<u32, ${PLAYERS * levelWords}>;`;
  const levels = isNear ? [level, nearLevels] : [farLevels];
  const kernel = { id: 'sharedRollout', wgsl: sharedRollout };
  const seen = seenOn(world, places);
  return playedBy(kernel, isNear ? looksNear(seen) : seen, network, [group, ...places, sharedChain, ...levels]);
}
