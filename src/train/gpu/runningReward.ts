import type { Gpu } from '../../gpu/device.ts';
import { readBack, whole, type CommandList } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { addSums } from '../../gpu/sums.ts';
import type { TrainState } from '../backend.ts';
import { RUNNING } from '../cpu/runningReward.ts';
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
  const buffers = { outcome: b.outcome, length: b.length, known, reward, total, parts: b.parts };
  await addSums(list, kernels.runningReward, S, buffers, { B, T, clip }, true);
}

export function loadRunning(gpu: Gpu, { running }: RunBuffers, S: number, state: TrainState): void {
  if (!running) return;
  const known = Float32Array.from(state.running ?? new Float64Array(S * RUNNING));
  gpu.device.queue.writeBuffer(running.known, 0, known);
}

export async function saveRunning(gpu: Gpu, { running }: RunBuffers, S: number): Promise<Pick<TrainState, 'running'>> {
  if (!running) return {};
  const known = new Float32Array(await readBack(gpu, whole(running.known)), 0, S * RUNNING);
  return { running: Float64Array.from(known) };
}
