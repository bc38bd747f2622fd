import type { Batch } from '../../contract/columns.ts';
import { signalNames, stateColumns, type SignalName, type StateColumn } from '../../contract/signals.ts';
import type { AnyValues } from '../../core/settings.ts';
import type { Gpu } from '../../gpu/device.ts';
import { CommandList, readBack, whole, type Slice } from '../../gpu/recorder.ts';
import { outputs } from '../../networks/dense/shape.ts';
import { denseOf, recordingOf } from '../../networks/policy.ts';
import type { RewardModule } from '../../slots/reward/types.ts';
import { planOf, uploadBatch } from './creditOnGpu.ts';
import { GpuRewardOps } from './rewardOps.ts';
import { RunBuffers } from './buffers.ts';

/**
 * Runs the GPU form of a reward module on any batch of one replica, with the signals and columns of states that the batch
 * holds, and reads back what it makes of each step: what conformance compares with the definition.
 */
export async function rewardOnGpu(
  gpu: Gpu,
  batch: Batch,
  module: RewardModule,
  params: AnyValues,
): Promise<Float32Array> {
  if (!module.gpu) throw new Error(`${module.title} has no GPU form.`);
  const plan = planOf(batch);
  const b = new RunBuffers(gpu, plan, await recordingOf(plan.policy), 1);
  const list = new CommandList(gpu, module.id);
  try {
    uploadBatch(gpu, b, batch, outputs(denseOf(plan).shape));
    const held = new Map<SignalName | StateColumn, Slice>();
    for (const name of [...signalNames, ...stateColumns]) {
      const values = batch[name];
      if (!values) continue;
      const buffer = gpu.buffer('credit', values.length, 0x80 | 0x04 | 0x08);
      b.all.push(buffer);
      gpu.device.queue.writeBuffer(buffer, 0, Float32Array.from(values));
      held.set(name, whole(buffer));
    }
    const ops = new GpuRewardOps(plan, b, { slice: (name) => held.get(name)! });
    ops.module = module.id;
    const made = module.gpu(ops, params as never);
    await ops.flush(list);
    const encoder = gpu.device.createCommandEncoder({ label: module.id });
    list.encode(encoder);
    gpu.device.queue.submit([encoder.finish()]);
    const slice = made.handle as Slice;
    return new Float32Array(await readBack(gpu, { ...slice, size: batch.B * batch.T * 4 }));
  } finally {
    list.dispose();
    b.free();
  }
}
