import type { Kernel } from '../../gpu/kernel.ts';
import type { CommandList, Slice } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { addSums } from '../../gpu/sums.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import type { GpuPast } from './past.ts';
import { REPORT, REPORT_WORDS } from './report.ts';

/**
 * The step preview (cpu/klPreview.ts) on the GPU: what is kept of a step is decided there, so that nothing has to come
 * back. Runs without it record nothing here.
 */
const recordOf = (b: RunBuffers): Slice => b.report(REPORT.control, REPORT_WORDS);

async function add(list: CommandList, plan: Plan, b: RunBuffers, kernel: Kernel): Promise<void> {
  const { before, theta } = b;
  if (!before) return;
  const { size } = plan.layout;
  await list.add(kernel, { theta, before, record: recordOf(b) }, { size }, [Math.ceil(size / 64), 1, plan.S]);
}

/** In front of an optimizer step: where the parameters come from. */
export const addBefore = (list: CommandList, plan: Plan, b: RunBuffers): Promise<void> =>
  add(list, plan, b, kernels.cutStepHold);

/** Behind a look at the minibatch of step k with `b.look`: cuts the step of every replica that led too far. */
export async function addCut(list: CommandList, plan: Plan, b: RunBuffers, past: GpuPast, k: number): Promise<void> {
  if (!b.before) return;
  const { S, B, T } = plan;
  const judged = { stats: b.stats, plan: b.plan, record: recordOf(b), parts: b.parts };
  await addSums(list, kernels.cutStepJudge, S, judged, { B, T, k, limit: plan.control.cutsAt! });
  await add(list, plan, b, kernels.cutStepCut);
  if (plan.behavior.unified) await past.addRounding(list);
}
