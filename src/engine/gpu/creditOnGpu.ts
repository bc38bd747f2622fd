import { columnOf, heldBy, type Batch, type ColumnName } from '../../contract/columns.ts';
import type { NumberArray } from '../../contract/numbers.ts';
import { signalNames } from '../../contract/signals.ts';
import { assert } from '../../core/assert.ts';
import { mostOf } from '../../core/batch.ts';
import type { Sight } from '../../envs/perturb/sight.ts';
import { defaultConfig } from '../../config/schema.ts';
import type { Gpu } from '../../gpu/device.ts';
import { CommandList, readBack, whole, type Slice } from '../../gpu/recorder.ts';
import { setCalls } from '../../gpu/match.ts';
import type { AnyValues } from '../../core/settings.ts';
import type { Credit, Estimator } from '../../slots/types.ts';
import { outputs, type NetworkShape } from '../../networks/dense/shape.ts';
import { denseOf, policyOf, recordingOf } from '../../networks/policy.ts';
import { makePlan, type Plan } from '../plan.ts';
import { RunBuffers } from './buffers.ts';
import { GpuCreditOps } from './creditOps.ts';
import type { ExtraColumns } from './extraColumns.ts';

/** A plan with the sizes of a batch that no environment made; only its sizes are used. */
export function planOf(batch: Batch): Plan {
  const base = makePlan(defaultConfig());
  if (!base.ok) throw new Error('The default experiment must always be possible.');
  const { B, T, G } = batch;
  const P = 1 + mostOf(batch.taskIndex);
  const { network, shape } = denseOf(base.value);
  const without: NetworkShape = { ...shape, hidden: [], critic: true };
  const cells = cellsIn(batch);
  // as a text is seen whose tokens the cells are
  const sight: Sight = { parts: cells, bits: 8, stride: 8, step: 1, spared: 8 };
  const seen = { sight, obsWords: Math.ceil(cells / 4), env: { ...base.value.env, features: () => 8 * cells } };
  return {
    ...base.value,
    ...(cells > 0 ? seen : {}),
    S: 1,
    P,
    G,
    B,
    T,
    epochs: 1,
    minibatches: 1,
    critic: true,
    policy: policyOf(network, without),
  };
}

/** Cells of an observation; 0 where the batch has none. */
const cellsIn = ({ B, T, obsCells }: Batch): number => (obsCells ? obsCells.length / (B * T) : 0);

/** [B, T + 1, words] what was seen before each step, a byte for each cell. */
function obsOf(batch: Batch, cells: Uint32Array): Uint32Array {
  assert(
    cells.every((x) => x < 256),
    'A cell of such a batch is a byte.',
  );
  const { B, T } = batch;
  const C = cellsIn(batch);
  const bytes = new Uint8Array(B * (T + 1) * 4 * Math.ceil(C / 4));
  const width = bytes.length / (B * (T + 1));
  for (let k = 0; k < B * T; k++) bytes.set(cells.subarray(k * C, (k + 1) * C), (k + Math.floor(k / T)) * width);
  return new Uint32Array(bytes.buffer);
}

/** Columns that a run keeps in buffers of their own. */
const KEPT: readonly ColumnName[] = [...signalNames, 'answerProb', 'processScore', 'budgetReward'];

/** Uploads the arrays that only some batches hold. */
function extraColumns(gpu: Gpu, b: RunBuffers, batch: Batch): ExtraColumns {
  const upload = (values: Float32Array | Uint32Array): Slice => {
    const buffer = gpu.buffer('credit', values.length, 0x80 | 0x04 | 0x08);
    b.all.push(buffer);
    gpu.device.queue.writeBuffer(buffer, 0, values as Float32Array<ArrayBuffer>);
    return whole(buffer);
  };
  const { logpPhi, planMask, role, rewardParts: parts } = batch;
  for (const [name, values] of heldBy(batch))
    if (KEPT.includes(name)) b.batch.keep(name, upload(values as Float32Array));
  const K = parts ? parts.length / batch.B : 0;
  const rewardParts = Array.from({ length: K }, (_, k) => upload(parts!.filter((_x, at) => at % K === k)));
  const perTask = heldBy(batch)
    .filter(([name]) => columnOf(name).per === 'task')
    .map(([name, values]) => [name, upload(Float32Array.from(batch.taskIndex, (g) => values[g]!))]);
  return {
    ...(logpPhi ? { logpPhi: upload(logpPhi) } : {}),
    ...(planMask ? { planMask: upload(Float32Array.from(planMask)) } : {}),
    ...(role ? { role: { ...upload(role), players: 1 + mostOf(role) } } : {}),
    ...(parts ? { rewardParts } : {}),
    perTask: Object.fromEntries(perTask) as NonNullable<ExtraColumns['perTask']>,
  };
}

/** Uploads the columns that every batch holds; V after the last step is where the network would have left it. */
export function uploadBatch(gpu: Gpu, b: RunBuffers, batch: Batch, n: number): void {
  const put = ({ buffer, offset }: Slice, values: NumberArray): void =>
    gpu.device.queue.writeBuffer(buffer, offset, values as Float32Array<ArrayBuffer>);
  const hosts = new Map<ColumnName, Uint32Array>();
  for (const [name, values] of heldBy(batch)) {
    const { within } = columnOf(name);
    if (b.batch.has(name)) put(b.batch.of(name), values);
    if (!within) continue;
    const [host, word] = within as readonly [ColumnName, number];
    const words = hosts.get(host) ?? new Uint32Array(b.batch.of(host).size / 4);
    hosts.set(host, words);
    const width = words.length / values.length;
    values.forEach((x, i) => (words[i * width + word] = x));
  }
  for (const [host, words] of hosts) put(b.batch.of(host), words);
  if (batch.obsCells) put(whole(b.obs), obsOf(batch, batch.obsCells));
  const last = new Float32Array(batch.B * n);
  batch.valueFinal.forEach((x, i) => (last[(i + 1) * n - 1] = x));
  put(whole(b.out), last);
}

/**
 * Runs the GPU form of an estimator on any batch of one replica and reads the result back: what conformance checks and
 * "check this device" compare with the definition. Padding of the inputs may hold anything.
 */
export async function creditOnGpu(gpu: Gpu, batch: Batch, estimator: Estimator, params: AnyValues): Promise<Credit> {
  if (!estimator.gpu) throw new Error(`${estimator.title} has no GPU form.`);
  const plan = planOf(batch);
  const { B, T } = plan;
  const b = new RunBuffers(gpu, plan, await recordingOf(plan.policy), 1);
  const list = new CommandList(gpu, estimator.id);
  try {
    uploadBatch(gpu, b, batch, outputs(denseOf(plan).shape));
    const { table, head, next } = b;
    const { length, taskIndex, stateKey: key } = b.columns;
    for (const { kernel, dims, groups } of setCalls('key', { S: 1, B, T, block: B }, gpu.software)) {
      await list.add(kernel, { key, length, taskIndex, table, match_: head, next }, dims, groups);
    }
    const ops = new GpuCreditOps(plan, b, extraColumns(gpu, b, batch), B);
    const credit = estimator.gpu(ops, params as never);
    ops.end(credit.A, credit.target, credit.parts);
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
