import type { CommandList } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { addSums } from '../../gpu/sums.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

/** Returns in units of the run, where they are normalized: see cpu/runningReward.ts. */
export type Running = {
  /** [S, RUNNING] what is known of all returns so far */
  readonly known: GPUBuffer;
  readonly reward: GPUBuffer;
  readonly outcome: GPUBuffer;
};

/** What the estimator sees of the returns, and what is known of them after this batch. */
export async function addRunningReward(list: CommandList, plan: Plan, b: RunBuffers): Promise<void> {
  if (!b.running) return;
  const { S, B, T, rewardClip: clip } = plan;
  const { known, reward, outcome: total } = b.running;
  const buffers = { outcome: b.unscaled.outcome, length: b.columns.length, known, reward, total, parts: b.parts };
  await addSums(list, kernels.runningReward, S, buffers, { B, T, clip }, true);
}
