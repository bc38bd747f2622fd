import { marksWith } from '../../gpu/marks.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

/** Behind a look: the marks of the units that it went over, where the objective says how a device makes them. */
export async function addMarks(list: CommandList, plan: Plan, b: RunBuffers): Promise<void> {
  const { S, B, T, objective, objectiveParams } = plan;
  const buffers = { plan: b.plan, stats: b.stats, credit: b.credit };
  const wgsl = objective.marks!(objectiveParams as never);
  await list.add(marksWith(wgsl), buffers, { B, T, marksAt: b.marksAt }, [Math.ceil(B / 64), 1, S]);
}
