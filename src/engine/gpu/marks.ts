import { LEFT_OUT } from '../../core/math/clip.ts';
import { marksWith } from '../../gpu/marks.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import type { DeviceMarks } from '../../slots/objective/types.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

/** Behind a look: the marks of the units that it went over. `still`: there was none, as nothing has moved. */
export async function addMarks(
  list: CommandList,
  plan: Plan,
  b: RunBuffers,
  { wgsl }: DeviceMarks,
  still: boolean,
): Promise<void> {
  const { S, B, T } = plan;
  const buffers = { plan: b.plan, stats: b.stats, credit: b.credit };
  const dims = { B, T, marksAt: b.marksAt, still: Number(still), empty: LEFT_OUT };
  await list.add(marksWith(wgsl), buffers, dims, [Math.ceil(B / 64), 1, S]);
}
