import type { Batch } from '../../core/batch.ts';
import type { Gpu } from '../../gpu/device.ts';
import { readBack, whole, type Slice } from '../../gpu/recorder.ts';
import { SOFT_MIN_ALPHA, softMin } from '../../core/value.ts';
import { together } from '../../core/together.ts';
import type { Estimator } from '../../methods/types.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

/**
 * The batch of one replica as the estimator saw it, read back from the GPU; padding is cleared. With `needs` only these
 * fields are read and the others are 0, as are states and probabilities.
 */
export async function fillBatch(
  gpu: Gpu,
  plan: Plan,
  b: RunBuffers,
  s: number,
  needs: Estimator['needs'] | null = null,
): Promise<{ batch: Batch; state: Uint32Array; probs: Float32Array }> {
  const { B, T, env } = plan;
  const N = B * T;
  const read = (slice: Slice, words: number, ...fields: Estimator['needs']): Promise<ArrayBuffer> =>
    needs && !fields.some((field) => needs.includes(field))
      ? Promise.resolve(new ArrayBuffer(words * 4))
      : readBack(gpu, { buffer: slice.buffer, offset: slice.offset + s * words * 4, size: words * 4 });
  const final = b.last;
  const [length, taskIndex, key, finalKey, action, reward, outcome, ending, logp, entropy, value, last, state, probs] =
    await together([
      read(b.length, B, 'length'),
      read(b.taskIndex, B, 'taskIndex'),
      read(b.key, 2 * N, 'stateKey'),
      read(b.finalKey, 2 * B, 'finalStateKey'),
      read(b.action, N, 'action'),
      read(b.judged.reward, N, 'reward'),
      read(b.judged.outcome, B, 'outcome'),
      read(b.ending, 4 * B, 'success', 'terminated'),
      read(b.sampledPart(0), N, 'logp'),
      read(b.sampledPart(1), N, 'entropy'),
      read(b.sampledPart(2), N, 'value'),
      read(whole(final.buffer), final.rows * final.n, 'valueFinal'),
      read(whole(b.state), B * (T + 1) * env.words),
      read(b.probs, N * plan.actions),
    ]);
  const ends = new Uint32Array(ending!);
  const outs = new Float32Array(last!);
  const valueAt = (end: number): number => {
    if (!plan.critic) return 0;
    return final.values === 2 ? softMin(outs[end - 2]!, outs[end - 1]!, SOFT_MIN_ALPHA).V : outs[end - 1]!;
  };
  const batch = {
    P: plan.P,
    G: plan.G,
    B,
    T,
    length: new Uint32Array(length!),
    taskIndex: new Uint32Array(taskIndex!),
    stateKey: new Uint32Array(key!),
    finalStateKey: new Uint32Array(finalKey!),
    action: new Uint32Array(action!),
    reward: new Float32Array(reward!),
    outcome: new Float32Array(outcome!),
    success: Uint32Array.from({ length: B }, (_, i) => ends[4 * i]!),
    terminated: Uint32Array.from({ length: B }, (_, i) => ends[4 * i + 1]!),
    logp: new Float32Array(logp!),
    entropy: new Float32Array(entropy!),
    value: new Float32Array(value!),
    // valid only right after the rollout, before the update's own forward passes
    valueFinal: Float32Array.from({ length: B }, (_, i) => valueAt((i + 1) * final.n)),
  };
  clearPadding(batch, [batch.action, batch.reward, batch.logp, batch.entropy, batch.value], 1);
  clearPadding(batch, [batch.stateKey], 2);
  const result = { batch, state: new Uint32Array(state!), probs: new Float32Array(probs!) };
  clearPadding(batch, [result.probs], plan.actions);
  return result;
}

/** Steps past the end hold what a longer episode of an earlier update left there. */
function clearPadding(
  { B, T, length }: Pick<Batch, 'B' | 'T' | 'length'>,
  arrays: readonly (Float32Array | Uint32Array)[],
  width: number,
): void {
  for (const array of arrays)
    for (let i = 0; i < B; i++) array.fill(0, (i * T + length[i]!) * width, (i + 1) * T * width);
}
