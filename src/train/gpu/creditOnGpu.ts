import type { Batch } from '../../core/batch.ts';
import { defaultConfig } from '../../config/schema.ts';
import type { Gpu } from '../../gpu/device.ts';
import { CommandList, readBack, whole, type Slice } from '../../gpu/recorder.ts';
import { setCalls } from '../../gpu/match.ts';
import type { AnyValues } from '../../core/settings.ts';
import type { Credit, Estimator } from '../../methods/types.ts';
import { outputs } from '../../policies/network.ts';
import { denseOf } from '../../policies/policy.ts';
import { makePlan, type Plan } from '../plan.ts';
import { RunBuffers } from './buffers.ts';
import { GpuCreditOps, type ExtraColumns } from './creditOps.ts';

/** A plan with the sizes of a batch that no environment made; only its sizes are used. */
function planOf(batch: Batch): Plan {
  const base = makePlan(defaultConfig());
  if (!base.ok) throw new Error('The default experiment must always be possible.');
  const { B, T, G } = batch;
  const P = Math.max(...batch.taskIndex) + 1;
  const policy = denseOf(base.value);
  return {
    ...base.value,
    S: 1,
    P,
    G,
    B,
    T,
    epochs: 1,
    minibatches: 1,
    critic: true,
    policy: { ...policy, shape: { ...policy.shape, hidden: [], critic: true } },
  };
}

/** Uploads the arrays that only some batches hold. */
function extraColumns(gpu: Gpu, b: RunBuffers, batch: Batch): ExtraColumns {
  const upload = (values: Float32Array): Slice => {
    const buffer = gpu.buffer('credit', values.length, 0x80 | 0x04 | 0x08);
    b.all.push(buffer);
    gpu.device.queue.writeBuffer(buffer, 0, values as Float32Array<ArrayBuffer>);
    return whole(buffer);
  };
  const { logpPhi, greedyReturn } = batch;
  return {
    ...(logpPhi ? { logpPhi: upload(logpPhi) } : {}),
    ...(greedyReturn ? { greedy: upload(Float32Array.from(batch.taskIndex, (g) => greedyReturn[g]!)) } : {}),
  };
}

/**
 * Runs the GPU form of an estimator on any batch of one replica and reads the result back: what conformance checks and
 * "check this device" compare with the definition. Padding of the inputs may hold anything.
 */
export async function creditOnGpu(gpu: Gpu, batch: Batch, estimator: Estimator, params: AnyValues): Promise<Credit> {
  if (!estimator.gpu) throw new Error(`${estimator.title} has no GPU form.`);
  const plan = planOf(batch);
  const { B, T } = plan;
  const b = new RunBuffers(gpu, plan, 1);
  const list = new CommandList(gpu, estimator.id);
  try {
    const put = (slice: Slice | GPUBuffer, values: Float32Array | Uint32Array): void => {
      const { buffer, offset } = 'buffer' in slice ? slice : { buffer: slice, offset: 0 };
      gpu.device.queue.writeBuffer(buffer, offset, values as Float32Array<ArrayBuffer>);
    };
    const n = outputs(denseOf(plan).shape);
    const last = new Float32Array(B * n);
    const ending = new Uint32Array(B * 4);
    for (let i = 0; i < B; i++) {
      last[(i + 1) * n - 1] = batch.valueFinal[i]!;
      ending.set([batch.success[i]!, batch.terminated[i]!], 4 * i);
    }
    put(b.length, batch.length);
    put(b.taskIndex, batch.taskIndex);
    put(b.key, batch.stateKey);
    put(b.reward, batch.reward);
    put(b.outcome, batch.outcome);
    put(b.sampledPart(2), batch.value);
    put(b.ending, ending);
    put(b.out, last);
    put(b.finalKey, batch.finalStateKey);
    put(b.action, batch.action);
    put(b.sampledPart(0), batch.logp);
    const { length, taskIndex, table, head, next, key } = b;
    for (const { kernel, dims, groups } of setCalls('key', { S: 1, B, T, block: B }, gpu.software)) {
      await list.add(kernel, { key, length, taskIndex, table, match_: head, next }, dims, groups);
    }
    const ops = new GpuCreditOps(plan, b, extraColumns(gpu, b, batch), B);
    const credit = estimator.gpu(ops, params as never);
    ops.combineInto(1, credit.A, 0, credit.A, b.creditPart(0));
    if (credit.target) ops.combineInto(1, credit.target, 0, credit.target, b.creditPart(1));
    await ops.flush(list);
    const encoder = gpu.device.createCommandEncoder({ label: estimator.id });
    list.encode(encoder);
    gpu.device.queue.submit([encoder.finish()]);
    const read = async (slice: Slice): Promise<Float32Array> =>
      new Float32Array(await readBack(gpu, { ...slice, size: B * T * 4 }));
    const parts: Record<string, Float32Array> = {};
    for (const [name, column] of Object.entries(credit.parts ?? {})) parts[name] = await read(column.handle as Slice);
    const keep =
      credit.keep && new Float32Array(await readBack(gpu, { ...(credit.keep.handle as Slice), size: B * 4 }));
    return {
      A: await read(b.creditPart(0)),
      parts,
      ...(credit.target ? { target: await read(b.creditPart(1)) } : {}),
      ...(keep ? { keep: Uint8Array.from(keep) } : {}),
    };
  } finally {
    list.dispose();
    b.free();
  }
}
