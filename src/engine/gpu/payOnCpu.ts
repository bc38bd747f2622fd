import { REWARD_PARTS } from '../../contract/columnTable.ts';
import { together } from '../../core/together.ts';
import type { Gpu } from '../../gpu/device.ts';
import type { Slice } from '../../gpu/recorder.ts';
import { batchOf, makeArrays } from '../arrays.ts';
import type { Shaping } from '../cpu/shaping.ts';
import type { Plan, Tasks } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { readColumns, readWorld, wholeBatch } from './readBatch.ts';
import { madeBy } from './shapesOnGpu.ts';

/** Where a batch is read from, and what the modules made of it goes: see `GpuShaping`. */
type Place = {
  readonly gpu: Gpu;
  readonly plan: Plan;
  readonly b: RunBuffers;
  readonly planMask: Slice | null;
  readonly rewardParts: readonly (Slice | undefined)[] | null;
};

/** Reads the last batch back, pays it in TypeScript and writes what the estimator sees. Loaded where a run needs it. */
export async function payOnCpu(place: Place, shaping: Shaping, tasks: Tasks): Promise<void> {
  const { gpu, plan, b, planMask, rewardParts } = place;
  const { S, B, T } = plan;
  const arrays = makeArrays(plan);
  const put = ({ buffer, offset }: Slice, at: number, values: Float32Array): void =>
    gpu.device.queue.writeBuffer(buffer, offset + 4 * at, values as Float32Array<ArrayBuffer>);
  for (let s = 0; s < S; s++) {
    const source = { plan, b, s };
    const [{ batch, state }, seen, world] = await together([
      wholeBatch(source),
      arrays.features.length > 0 ? readColumns(source, ['obs']) : {},
      readWorld(source),
    ]);
    for (const [name, values] of Object.entries({ ...batch, ...world, ...seen, state })) {
      const to = (arrays as Readonly<Record<string, unknown>>)[name];
      if (to instanceof Float32Array || to instanceof Uint32Array) to.set(values as Float32Array, s * (to.length / S));
    }
    const paid = shaping.pay(batchOf(plan, arrays, s), arrays, tasks, b.tensors.host.tensors, s);
    put(b.columns.shapedReward, s * B * T, paid.reward);
    put(b.columns.shapedOutcome, s * B, paid.outcome);
    rewardParts?.slice(1).forEach((slice, k) => {
      const of = Float32Array.from({ length: B }, (_, i) => paid.rewardParts![i * REWARD_PARTS + k + 1]!);
      if (slice) put(slice, s * B, of);
    });
  }
  for (const name of madeBy(plan)) {
    b.batch.keepOnHost(name, arrays[name]);
    if (b.batch.has(name)) put(b.batch.of(name), 0, arrays[name] as Float32Array);
  }
  if (planMask) gpu.device.queue.writeBuffer(planMask.buffer, 0, Float32Array.from(arrays.planMask));
}
