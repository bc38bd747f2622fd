import { whole, type CommandList, type Slice } from '../../gpu/recorder.ts';
import { segmentStatsCall } from '../../gpu/segments.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { outputs } from '../../policies/network.ts';
import { denseOf } from '../../policies/policy.ts';
import { isFresh } from '../behaviour.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { addForward } from './networkList.ts';
import type { GpuPast } from './past.ts';
import { REPORT } from './report.ts';
import type { TokenBuffers } from './tokenBuffers.ts';
import { addCommandKl, type CommandBatch } from './tokenCommandList.ts';
import { addSteps, chunksOf } from './tokenList.ts';
import type { Sequence } from './tokenSequence.ts';

/** True if the newest weights play, but rounded, and training sees them as they are: how far is that apart? */
export const measuresMismatch = ({ behaviour }: Plan): boolean => behaviour.lag === 0 && !isFresh(behaviour);

/** Largest change of a log-probability, per replica; 0 before the batch is looked at. */
async function addMost(list: CommandList, { S }: Plan, b: RunBuffers): Promise<Slice> {
  const most = b.report(REPORT.mismatchMax, 1);
  await list.add(kernels.fill, { x: most }, { count: S, value: 0 }, [Math.ceil(S / 64)]);
  return most;
}

/** Mean over all steps of the KL that stands in the first numbers of `stats`. */
async function addMean(list: CommandList, { S, B, T }: Plan, b: RunBuffers): Promise<void> {
  const { stats: x, length, taskIndex } = b;
  const stats = b.report(REPORT.mismatch, 4);
  const { kernel, dims, groups } = segmentStatsCall(S, B, T, 1, B);
  await list.add(kernel, { x, length, taskIndex, stats }, dims, groups);
}

/** Before the first optimizer step: how far the probabilities that played the batch are from those that training sees. */
export async function addMismatch(list: CommandList, plan: Plan, b: RunBuffers, past: GpuPast): Promise<void> {
  if (!measuresMismatch(plan)) return;
  const { S, B, T, actions, temperature } = plan;
  const most = await addMost(list, plan, b);
  await addForward(list, plan, b, past.seen, b.out, 'all');
  await list.add(
    kernels.playedKl,
    { out: b.out, choice: b.choice, length: b.length, played: b.probs, y: whole(b.stats), most },
    { B, T, actions, n: outputs(denseOf(plan).shape), inverse: 1 / temperature },
    [Math.ceil((B * T) / 64), 1, S],
  );
  await addMean(list, plan, b);
}

/** The same where actions are written: behind `before` in chunks; returns the list that goes on. */
export async function addWordMismatch(
  sequence: Sequence,
  before: CommandList,
  list: (name: string) => CommandList,
  plan: Plan,
  b: RunBuffers,
  { tokens, batch, past }: { readonly tokens: TokenBuffers; readonly batch: CommandBatch; readonly past: GpuPast },
): Promise<CommandList> {
  if (!measuresMismatch(plan)) return before;
  const most = await addMost(before, plan, b);
  await addSteps(before, tokens, batch, 'all');
  const chunk = sequence.add(list('mismatch'), chunksOf(tokens, 'all'));
  await addCommandKl(chunk, tokens, batch, past.seen, plan.temperature, most);
  const after = sequence.add(list('optimize'));
  await addMean(after, plan, b);
  return after;
}
