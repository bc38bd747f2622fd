import type { Stretch } from '../../worker/protocol.ts';

const PATHS = {
  cpu: 'trained on the CPU',
  webgpu: 'trained on WebGPU',
  both: 'trained on both paths in turn',
} as const;

/** Where the path that trains has changed in mid-run. */
export const pathChangesOf = (stretches: readonly Stretch[]): { update: number; words: string }[] =>
  stretches.slice(1).map(({ from, on }) => ({ update: from, words: PATHS[on] }));
