import type { CommandList } from '../../gpu/recorder.ts';
import { segmentStatsCall } from '../../gpu/segments.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { outputsOf } from '../../networks/policy.ts';
import { isRounded } from '../behaviour.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers, SeenPolicy } from './buffers.ts';
import { addCoefficients, addLookForward } from './denseLook.ts';
import { addRatioMetrics } from './metricLists.ts';
import type { GpuPast } from './past.ts';
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
  if (isRounded(plan.behaviour))
    await list.add(
      kernel,
      { x: kl, length: b.columns.length, taskIndex, stats: b.report(REPORT.mismatch, 4) },
      dims,
      groups,
    );
  await addOwnWeights(list, plan, b);
  await addRatioMetrics(list, plan, b, REPORT.start);
}

/**
 * Where another policy played the batch, the one that trains is shown all of it before the first step, see cpu/start.ts.
 * What the first optimizer step needs of a forward pass is still there after it. Where actions are written: tokenUpdate.ts.
 */
export async function addStartLook(list: CommandList, plan: Plan, b: RunBuffers, past: GpuPast): Promise<void> {
  const { seen } = b;
  if (!seen) return;
  const { S, B, T, actions, temperature, epochs } = plan;
  await addNoChange(list, plan, b);
  await addLookForward(list, plan, b, past, { epoch: epochs, minibatch: 0 });
  const { out, choice } = b;
  const { length, probs: played } = b.columns;
  await list.add(
    kernels.playedKl,
    { out, choice, length, played, seen: seen.buffer, most: b.report(REPORT.mismatchMax, 1) },
    {
      ...{ B, T, actions, n: outputsOf(plan), inverse: 1 / temperature },
      ...{ section: b.section, floatSection: b.section, probsAt: b.probsAt },
    },
    [Math.ceil((B * T) / 64), 1, S],
  );
  await addCoefficients(list, plan, b, b.look);
  await addStartMetrics(list, plan, b, seen);
}
