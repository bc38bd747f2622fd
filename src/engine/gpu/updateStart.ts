import type { CommandList } from '../../gpu/recorder.ts';
import { addTogether } from '../../gpu/together.ts';
import { segmentStatsCall } from '../../gpu/segments.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { isRounded } from '../behavior.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers, SeenPolicy } from './buffers.ts';
import { ratioStats } from './metricLists.ts';
import { REPORT } from './report.ts';
import { addOwnWeights } from './givenRows.ts';

/** Before a look: no log-probability has changed yet. */
export async function addNoChange(list: CommandList, { S }: Plan, b: RunBuffers): Promise<void> {
  const x = b.report(REPORT.mismatchMax, 1);
  await list.add(kernels.fill, { x }, { count: S, value: 0 }, [Math.ceil(S / 64)]);
}

/** Behind a look at the whole batch: entropy, ratios, and where weights were rounded how far what played is away. */
export async function addStartMetrics(
  list: CommandList,
  plan: Plan,
  b: RunBuffers,
  { entropy, kl }: SeenPolicy,
): Promise<void> {
  const { S, B, T } = plan;
  const { taskIndex } = b.columns;
  const { kernel, dims, groups } = segmentStatsCall(S, B, T, 1, B);
  await list.add(kernel, { x: entropy, length: b.own, taskIndex, stats: b.report(REPORT.entropy, 4) }, dims, groups);
  if (isRounded(plan.behavior))
    await list.add(
      kernel,
      { x: kl, length: b.columns.length, taskIndex, stats: b.report(REPORT.mismatch, 4) },
      dims,
      groups,
    );
  await addOwnWeights(list, plan, b);
  await addTogether(list, [ratioStats(plan, b, REPORT.start)]);
}
