import type { Batch } from '../contract/columns.ts';
import type { Gpu } from '../gpu/device.ts';
import { CommandList, readBack, whole } from '../gpu/recorder.ts';
import { processKernels } from '../gpu/shaders/processKernels.ts';
import { partsOf } from '../core/slices.ts';
import { addSums } from '../gpu/sums.ts';
import { given } from '../slots/advantage/given.ts';
import type { Preference, ScoreForm } from '../slots/advantage/types.ts';

/** The preference loss of any batch of one replica in WGSL, read back: what conformance compares with the definition. */
export async function preferenceOnGpu(gpu: Gpu, batch: Batch, beta: number, score: ScoreForm): Promise<Preference> {
  const { B, T, length, taskIndex, success, logp } = batch;
  const made: GPUBuffer[] = [];
  const make = (words: number, values?: Float32Array | Uint32Array): GPUBuffer => {
    const buffer = gpu.buffer('credit', words, 0x80 | 0x04 | 0x08);
    made.push(buffer);
    if (values) gpu.device.queue.writeBuffer(buffer, 0, values as Float32Array<ArrayBuffer>);
    return buffer;
  };
  const ending = new Uint32Array(4 * B);
  success.forEach((s, i) => (ending[4 * i] = s));
  const [plan, record] = [make(2 * B), make(8)];
  const buffers = {
    phi: make(B * T, given(batch, 'logpPhi')),
    logp: make(B * T, logp),
    length: make(B, length),
    taskIndex: make(B, taskIndex),
    ending: make(4 * B, ending),
    q: make(B),
    parts: make(partsOf(1, B, 1)),
    plan,
    record,
  };
  const list = new CommandList(gpu, 'preference', made);
  try {
    const sizes = { beta, mean: score === 'mean' ? 1 : 0 };
    await list.add(processKernels.preferenceScores, buffers, { rows: B, T, ...sizes }, [Math.ceil(B / 64)]);
    await addSums(list, processKernels.preference, 1, buffers, { B, G: B, ...sizes }, true);
    const encoder = gpu.device.createCommandEncoder({ label: 'preference' });
    list.encode(encoder);
    gpu.device.queue.submit([encoder.finish()]);
    const slopes = new Float32Array(await readBack(gpu, whole(plan)));
    const [pairs, loss, accuracy] = new Float32Array(await readBack(gpu, whole(record)));
    const gradPerStep = Float64Array.from({ length: B }, (_, i) => slopes[2 * i]!);
    return { pairs: pairs!, loss: loss!, accuracy: accuracy!, gradPerStep };
  } finally {
    for (const buffer of made) gpu.free(buffer);
  }
}
