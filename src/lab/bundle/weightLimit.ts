import { memoryOf } from '../../config/memory.ts';
import { makeLevelOf } from '../../config/level.ts';
import type { Config } from '../../config/slots.ts';
import type { TrainState } from '../../contract/state.ts';
import type { BatchToKeep } from './trajectories.ts';

/** Weights of all cells of a bundle, at most: half of what a bundle may hold. */
export const MOST_WEIGHTS = 256 * 2 ** 20;

/** What a cell ended with beside its numbers. */
export type Final = {
  readonly state: TrainState;
  readonly batch: BatchToKeep;
  /** chain of its seed, in hex: training goes on from there */
  readonly perSeed: readonly string[];
};

/** Bytes of what a run of one seed continues from, before it is there: weights, reference, two moments. */
export function bytesOfWeights(config: Config): number {
  const level = makeLevelOf(config);
  return level.ok ? 4 * 4 * level.value.policy.layout.size : (memoryOf(config)?.most.cpu ?? 0);
}

export const bytesOfFinal = ({ state }: Pick<Final, 'state'>): number =>
  Object.values(state.tensors).reduce((sum, { byteLength }) => sum + byteLength, 0);
