import type { CommandList } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { MOST_KL } from '../cpu/klPreview.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { addCoefficients } from './denseLook.ts';
import { addForward } from './networkList.ts';
import type { GpuPast } from './past.ts';
import { REPORT, REPORT_WORDS } from './report.ts';

/**
 * SAFE's step preview (cpu/klPreview.ts) on the GPU: what is kept of a step is decided there, so that nothing has to come
 * back. Runs without it record nothing here.
 */
type Entry = 'hold' | 'judge' | 'cut';
const KERNELS = { hold: kernels.cutStepHold, judge: kernels.cutStepJudge, cut: kernels.cutStepCut } as const;

async function add(list: CommandList, plan: Plan, b: RunBuffers, entry: Entry, k: number): Promise<void> {
  const { before, stats, theta } = b;
  if (!before) return;
  const { S, B, T, layout } = plan;
  const { size } = layout;
  const record = b.report(REPORT.control, REPORT_WORDS);
  await list.add(
    KERNELS[entry],
    { stats, plan: b.plan, theta, before, record },
    { B, T, size, k, limit: MOST_KL },
    entry === 'judge' ? [1, 1, S] : [Math.ceil(size / 64), 1, S],
  );
}

/** In front of optimizer step k: where the parameters come from. */
export const addBefore = (list: CommandList, plan: Plan, b: RunBuffers, k: number): Promise<void> =>
  add(list, plan, b, 'hold', k);

/** Behind a look at the minibatch of step k with `b.look`: cuts the step of every replica that led too far. */
export async function addCut(list: CommandList, plan: Plan, b: RunBuffers, past: GpuPast, k: number): Promise<void> {
  await add(list, plan, b, 'judge', k);
  await add(list, plan, b, 'cut', k);
  if (plan.behaviour.unified) await past.addRounding(list);
}

/** Looks at the minibatch of step k once more and cuts the step, where the policy is a chain of dense layers. */
export async function addPreview(
  list: CommandList,
  plan: Plan,
  b: RunBuffers,
  past: GpuPast,
  k: number,
): Promise<void> {
  if (!b.before) return;
  await addForward(list, plan, b, past.seen, b.out, 'all');
  await addCoefficients(list, plan, b, b.look);
  await addCut(list, plan, b, past, k);
}
