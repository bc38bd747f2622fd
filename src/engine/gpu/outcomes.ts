import { together } from '../../core/together.ts';
import type { Slice } from '../../gpu/recorder.ts';
import { asksFor, toldOf } from '../outcomes.ts';
import type { Plan, Tasks } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

/**
 * How the tasks of the update that has just finished went: reads back exactly the columns that their source asks for. Only
 * called where the source wants to know, so that no later update has begun.
 */
export async function readOutcomes(
  plan: Plan,
  b: RunBuffers,
  { taskIndex, update, chosen }: Tasks,
  measured: Uint8Array | undefined,
): ReturnType<typeof toldOf> {
  const rows = plan.S * plan.B;
  const asks = asksFor(plan);
  const read = ({ buffer, offset }: Slice, words: number, isAsked = true): Promise<ArrayBuffer> =>
    isAsked ? b.reads.of({ buffer, offset, size: 4 * words }) : Promise.resolve(new ArrayBuffer(0));
  const creditPart = (k: 0 | 1): Slice => ({ buffer: b.credit, offset: 4 * k * b.section, size: 4 * b.section });
  const states = rows * (plan.T + 1) * plan.env.words;
  const [length, ending, outcome, A, target, value, state, theta] = await together([
    read(b.columns.length, rows),
    read(b.columns.ending, 4 * rows),
    read(b.columns.outcome, rows),
    read(creditPart(0), rows * plan.T, asks.credit),
    read(creditPart(1), rows * plan.T, asks.error),
    read(b.columns.value, rows * plan.T, asks.error || asks.start),
    read(b.batch.of('state'), states, asks.states),
    read({ buffer: b.theta, offset: 0, size: b.theta.size }, plan.S * plan.layout.size, asks.ahead),
  ]);
  const ends = new Uint32Array(ending!);
  return toldOf(plan, update, {
    ...{ taskIndex, chosen },
    length: new Uint32Array(length!),
    success: Uint32Array.from({ length: rows }, (_, row) => ends[4 * row]!),
    outcome: new Float32Array(outcome!),
    measured: measured ?? new Uint8Array(0),
    A: new Float32Array(A!),
    target: new Float32Array(target!),
    value: new Float32Array(value!),
    state: new Uint32Array(state!),
    theta: new Float32Array(theta!),
  });
}
