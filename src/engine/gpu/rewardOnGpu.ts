import type { Batch, BatchField, ColumnName } from '../../contract/columns.ts';
import type { NumberArray } from '../../contract/numbers.ts';
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
 * holds, and reads back the reward of each step and the columns that it makes, of which the batch holds room: what
 * conformance compares with the definition.
 */
export async function rewardOnGpu(
  gpu: Gpu,
  batch: Batch,
  module: RewardModule,
  params: AnyValues,
): Promise<{ readonly reward: Float32Array; readonly made: Readonly<Record<string, Float32Array>> }> {
  if (!module.gpu) throw new Error(`${module.title} has no GPU form.`);
  const plan = planOf(batch);
  const b = new RunBuffers(gpu, plan, await recordingOf(plan.policy), 1);
  const list = new CommandList(gpu, module.id);
  try {
    uploadBatch(gpu, b, batch, outputs(denseOf(plan).shape));
    const held = new Map<SignalName | StateColumn, Slice>();
    const upload = (values: NumberArray): Slice => {
      const buffer = gpu.buffer('credit', values.length, 0x80 | 0x04 | 0x08);
      b.all.push(buffer);
      gpu.device.queue.writeBuffer(buffer, 0, Float32Array.from(values));
      return whole(buffer);
    };
    for (const name of [...signalNames, ...stateColumns]) if (batch[name]) held.set(name, upload(batch[name]));
    const makes = (module.makes ?? []) as readonly BatchField[];
    for (const name of [...makes, 'budget' as const])
      if (batch[name]) b.batch.keep(name as ColumnName, upload(batch[name] as NumberArray));
    const ops = new GpuRewardOps(plan, b, { slice: (name) => held.get(name)! });
    ops.module = module.id;
    const made = module.gpu(ops, params as never);
    await ops.flush(list);
    const encoder = gpu.device.createCommandEncoder({ label: module.id });
    list.encode(encoder);
    gpu.device.queue.submit([encoder.finish()]);
    const read = async (slice: Slice, n: number): Promise<Float32Array> =>
      new Float32Array(await readBack(gpu, { ...slice, size: 4 * n }));
    const columns: Record<string, Float32Array> = {};
    for (const name of makes)
      columns[name] = await read(b.batch.of(name as ColumnName), (batch[name] as NumberArray).length);
    return { reward: await read(made.handle as Slice, batch.B * batch.T), made: columns };
  } finally {
    list.dispose();
    b.free();
  }
}
