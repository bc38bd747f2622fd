import type { Batch } from '../../core/batch.ts';
import { together } from '../../core/together.ts';
import type { Gpu } from '../../gpu/device.ts';
import { readBack, whole, type Slice } from '../../gpu/recorder.ts';
import type { BatchView } from '../backend.ts';
import type { Plan, Tasks } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import type { Extras, Lists } from './lists.ts';
import { fillBatch } from './readBatch.ts';
import { SurveyedUpdate } from './surveyed.ts';

/** So many words of one replica, from a slice that has as many for each. */
type ReadPart = (slice: Slice, words: number) => Promise<ArrayBuffer>;

/** The stored batch of one replica with its credit, read back. */
export async function viewOf(
  gpu: Gpu,
  plan: Plan,
  b: RunBuffers,
  of: { readonly lists: Lists; readonly extras: Extras; readonly tasks: Tasks; readonly replica: number },
): Promise<BatchView> {
  const { lists, extras, tasks, replica } = of;
  const { mask, process } = extras;
  const rows = plan.B * plan.T;
  const part: ReadPart = (slice, words) =>
    readBack(gpu, { buffer: slice.buffer, offset: slice.offset + replica * words * 4, size: words * 4 });
  const stats = process?.policyStats ?? b.stats;
  const [{ batch, state, probs }, A, theta, after, perStep, ...parts] = await together([
    fillBatch(gpu, plan, b, replica),
    part(b.creditPart(0), rows),
    part(whole(b.sampledTheta), plan.layout.size),
    part(whole(b.theta), plan.layout.size),
    part(whole(stats), rows * 6),
    ...Object.values(lists.parts).map((column) => part(column.handle as Slice, rows)),
  ]);
  return {
    replica,
    update: tasks.update,
    batch: { ...batch, ...(await extraArrays(plan, extras, replica, part)) },
    A: new Float32Array(A),
    parts: Object.fromEntries(Object.keys(lists.parts).map((name, k) => [name, new Float32Array(parts[k]!)])),
    state,
    probs,
    levelSeeds: tasks.levelOf.slice(replica * plan.B, (replica + 1) * plan.B).map((k) => tasks.levelSeeds[k]!),
    theta: new Float32Array(theta),
    ...(mask ? { mask: new Float32Array(await part(whole(mask.weights), plan.layout.size)) } : {}),
    after: new Float32Array(after),
    delta: deltaOf(plan, batch.length, new Float32Array(perStep)),
    weights: lists.optimize instanceof SurveyedUpdate ? lists.optimize.asked[replica]?.weights : undefined,
    ...(await writtenBy(plan, b, stats, batch.length, part)),
  };
}

/** Commands and their words, where actions are written; padding is cleared. */
async function writtenBy(
  plan: Plan,
  b: RunBuffers,
  stats: GPUBuffer,
  length: Uint32Array,
  part: ReadPart,
): Promise<Pick<BatchView, 'written'>> {
  if (plan.policy.kind !== 'transformer') return {};
  const { S, B, T } = plan;
  const K = plan.policy.shape.grammar.decisions;
  // behind the fourteen numbers of every step: see `statsFloats`
  const delta = { buffer: stats, offset: 4 * 14 * S * B * T, size: 4 * K * S * B * T };
  const [command, logp, entropy, moved] = await together([
    part(b.command, B * T),
    part(b.unitPart(0, K), B * T * K),
    part(b.unitPart(1, K), B * T * K),
    part(delta, B * T * K),
  ]);
  const written = {
    command: new Uint32Array(command),
    logp: new Float32Array(logp),
    entropy: new Float32Array(entropy),
    delta: new Float32Array(moved),
  };
  for (let i = 0; i < B; i++) {
    written.command.fill(0, i * T + length[i]!, (i + 1) * T);
    for (const values of [written.logp, written.entropy, written.delta])
      values.fill(0, (i * T + length[i]!) * K, (i + 1) * T * K);
  }
  return { written };
}

/** Arrays of the batch that only some estimators need. */
async function extraArrays(
  { B, T, P }: Plan,
  { process, greedy, shown }: Extras,
  replica: number,
  part: ReadPart,
): Promise<Partial<Batch>> {
  return {
    ...(process ? { logpPhi: new Float32Array(await part(process.logpPhi, B * T)) } : {}),
    ...(shown ? { demo: shown.demo.slice(replica * B, (replica + 1) * B) } : {}),
    ...(greedy ? { greedyReturn: new Float32Array(await part(greedy.b.outcome, P)) } : {}),
  };
}

/** Δ of every step, the fifth of six numbers; padding is 0. */
function deltaOf({ B, T }: Plan, length: Uint32Array, stats: Float32Array): Float32Array {
  return Float32Array.from({ length: B * T }, (_, k) => (k % T < length[Math.floor(k / T)]! ? stats[6 * k + 4]! : 0));
}
