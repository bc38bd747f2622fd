import { wordsOf } from '../../networks/policy.ts';
import { part as columnPart, type Batch } from '../../contract/columns.ts';
import { ARRAYS, type NumberArray } from '../../contract/numbers.ts';
import { lengthOf, type Tensors } from '../../contract/state.ts';
import { together } from '../../core/together.ts';
import { whole, type Slice } from '../../gpu/recorder.ts';
import type { Credit } from '../../slots/types.ts';
import type { BatchView } from '../backend.ts';
import { RUNNING } from '../../config/runState.ts';
import { paysOf } from '../freshPay.ts';
import { memoryBefore, memorySpec, rewardMemory } from '../rewards.ts';
import { stateSizes } from '../stateTable.ts';
import { shapesOnGpu } from './shapesOnGpu.ts';
import { levelsPlayed } from '../arrays.ts';
import type { Plan, Tasks } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { isSurveyed, type Extras, type Lists } from './lists.ts';
import { forksOf } from '../forksOf.ts';
import { isPaidOtherwise, playedRows, readWorld, wholeBatch } from './readBatch.ts';

type Written = NonNullable<BatchView['written']>;
/** So many words of one replica, from a slice that has as many for each. */
type ReadPart = (slice: Slice, words: number) => Promise<ArrayBuffer>;

/** The stored batch of one replica with its credit, read back at once. `parts`: of a credit that the CPU computed. */
export async function viewOf(
  plan: Plan,
  b: RunBuffers,
  of: {
    readonly lists: Lists;
    readonly extras: Extras;
    readonly tasks: Tasks;
    readonly replica: number;
    readonly parts: Credit['parts'];
  },
): Promise<BatchView> {
  const { lists, extras, tasks, replica } = of;
  const { restriction, process, past } = extras;
  const rows = plan.B * plan.T;
  const source = { plan, b, s: replica };
  const part: ReadPart = (slice, words) =>
    b.reads.of({ buffer: slice.buffer, offset: slice.offset + replica * words * 4, size: words * 4 });
  const stats = process?.policyStats ?? b.stats;
  const { layout, scheme } = plan;
  // all are asked for before the first one is waited for: they come back in one submission
  const [
    { batch, state, probs },
    A,
    theta,
    after,
    perStep,
    versions,
    world,
    paid,
    seen,
    bounds,
    weights,
    words,
    ...parts
  ] = await together([
    wholeBatch(source),
    part(b.creditPart(0), rows),
    part(whole(b.sampledTheta), layout.size),
    part(whole(b.theta), layout.size),
    part(whole(stats), rows * 6),
    past.played(tasks, replica),
    readWorld(source),
    readPaid(b, plan, replica, part),
    scheme?.why ? playedRows(source, scheme.needs ?? [], plan.B) : null,
    restriction ? part(whole(restriction.weights), layout.size) : null,
    isSurveyed(lists.optimize) ? lists.optimize.asked[replica]?.weights : lists.told?.weights(replica),
    readWords(plan, b, stats, part),
    ...Object.values(lists.parts).map((column) => part(column.handle as Slice, rows)),
  ]);
  const played = levelsPlayed(plan, tasks, replica);
  return {
    replica,
    update: tasks.update,
    batch,
    A: new Float32Array(A),
    parts: {
      ...of.parts,
      ...Object.fromEntries(Object.keys(lists.parts).map((name, k) => [name, new Float32Array(parts[k]!)])),
    },
    state,
    probs,
    ...played,
    ...(seen ? forksOf(plan, tasks, replica, (name) => seen[name]!) : {}),
    theta: versions?.weights.at(-1)!.slice() ?? new Float32Array(theta),
    ...(world ? { world, ...howPaid(plan, of, { ...batch, ...world, levelSeed: played.levelSeeds }, paid!) } : {}),
    ...(versions ? { versions } : {}),
    ...(bounds ? { restriction: new Float32Array(bounds) } : {}),
    after: new Float32Array(after),
    delta: deltaOf(plan, batch.length, new Float32Array(perStep)),
    weights,
    ...(words ? { written: writtenBy(plan, batch.length, words) } : {}),
  };
}

/** What is read to tell how rewards were made of others; null where the estimator sees what the world paid. */
async function readPaid(b: RunBuffers, plan: Plan, replica: number, part: ReadPart) {
  if (!isPaidOtherwise(b)) return null;
  const [memory, returns, running, reference] = await together([
    readMemory(b, plan, replica, part),
    part(b.unscaled.outcome, plan.B),
    b.running && part(whole(b.running.known), RUNNING),
    b.paid && part(whole(b.reference), plan.layout.size),
  ]);
  return {
    memory,
    returns: new Float32Array(returns),
    running: running && Float64Array.from(new Float32Array(running)),
    reference: reference && new Float32Array(reference),
  };
}

type PaidRead = NonNullable<Awaited<ReturnType<typeof readPaid>>>;

/** How what the estimator saw was made of what the world paid. */
function howPaid(
  plan: Plan,
  { extras, tasks, replica }: { readonly extras: Extras; readonly tasks: Tasks; readonly replica: number },
  world: Batch,
  { memory: after, returns, running, reference }: PaidRead,
): Pick<BatchView, 'pays'> {
  const memory = memoryBefore(plan, after, world);
  const pays = paysOf({ memory, running, reference, ...extras.control.paid(replica, tasks.update) }, returns);
  return pays ? { pays } : {};
}

/** Tensors of the reward modules of one replica, this batch counted. */
async function readMemory(b: RunBuffers, plan: Plan, replica: number, part: ReadPart): Promise<Tensors> {
  if (!shapesOnGpu(plan)) return rewardMemory(plan, b.tensors.host.tensors, replica);
  const specs = Object.entries(memorySpec(plan));
  const read = async ([name, tensor]: (typeof specs)[number]): Promise<[string, NumberArray]> => {
    // copied before anything is waited for: the next batch counts on
    if (!tensor.onDevice) return [name, columnPart(b.tensors.host.tensors[name]!, plan.S, replica).slice()];
    const words = lengthOf(tensor, stateSizes(plan));
    return [name, new ARRAYS[tensor.type](await part(whole(b.tensors.buffer(name)), words)) as NumberArray];
  };
  return Object.fromEntries(await together(specs.map(read)));
}

/** Commands and their words, where actions are written, as they are stored. */
async function readWords(plan: Plan, b: RunBuffers, stats: GPUBuffer, part: ReadPart) {
  const words = wordsOf(plan.policy);
  if (!words) return null;
  const { S, B, T } = plan;
  const K = words.decisions;
  // after the fourteen numbers of every step: see `statsFloats`
  const delta = { buffer: stats, offset: 4 * 14 * S * B * T, size: 4 * K * S * B * T };
  const [command, logp, entropy, moved] = await together([
    part(b.columns.command, B * T),
    part(b.columns.unitLogp, B * T * K),
    part(b.columns.unitEntropy, B * T * K),
    part(delta, B * T * K),
  ]);
  return {
    command: new Uint32Array(command),
    logp: new Float32Array(logp),
    entropy: new Float32Array(entropy),
    delta: new Float32Array(moved),
  };
}

/** The same with its padding cleared. */
function writtenBy({ B, T }: Plan, length: Uint32Array, written: Written): Written {
  for (let i = 0; i < B; i++)
    for (const values of Object.values(written)) {
      const words = values.length / (B * T);
      values.fill(0, (i * T + length[i]!) * words, (i + 1) * T * words);
    }
  return written;
}

/** Δ of every step, the fifth of six numbers; padding is 0. */
function deltaOf({ B, T }: Plan, length: Uint32Array, stats: Float32Array): Float32Array {
  return Float32Array.from({ length: B * T }, (_, k) => (k % T < length[Math.floor(k / T)]! ? stats[6 * k + 4]! : 0));
}
