import type { Kernel } from '../../gpu/kernel.ts';
import type { Buffer, NetworkBatch, RowList } from '../../gpu/network.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import listedSteps from '../../gpu/shaders/network/gruCell/listedSteps.wgsl?raw';
import startOf from '../../gpu/shaders/rollout/liveSteps/startOf.wgsl?raw';
import listSegments from './listSegments.wgsl?raw';
import type { MemoShape } from './shape.ts';

// loaded by runs that gather their minibatches: who only plays, or weighs all steps of a batch, has none
export { default as listedTrajectories } from './listedTrajectories.wgsl?raw';
const LIST_SEGMENTS: Kernel = { id: 'listSegments', wgsl: listSegments, link: [startOf, listedSteps] };

/** Writes into `live` which trajectories of a list have a place in the block of each segment. */
export function addSegments(
  list: CommandList,
  { S, B, T }: NetworkBatch,
  { segment, summary }: MemoShape,
  { rows }: RowList,
  live: Buffer,
): Promise<void> {
  const segments = Math.ceil(T / segment);
  return list.add(LIST_SEGMENTS, { rows, live }, { B, T, segment, summary, segments }, [segments, 1, S]);
}
