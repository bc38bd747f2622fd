import { wordsOf } from '../../networks/policy.ts';
import type { Batch } from '../../contract/columns.ts';
import { ARRAYS, type NumberArray } from '../../contract/numbers.ts';
import { lengthOf, type Tensors } from '../../contract/state.ts';
import { together } from '../../core/together.ts';
import type { Gpu } from '../../gpu/device.ts';
import { readBack, whole, type Slice } from '../../gpu/recorder.ts';
import type { Credit } from '../../slots/types.ts';
import type { BatchView } from '../backend.ts';
import { RUNNING } from '../../config/runState.ts';
import { paysOf } from '../freshPay.ts';
import { memoryBefore, memorySpec, rewardMemory } from '../rewards.ts';
import { stateSizes } from '../stateTable.ts';
import { shapesOnGpu } from './shaping.ts';
import { levelsPlayed } from '../arrays.ts';
import type { Plan, Tasks } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { isSurveyed, type Extras, type Lists } from './lists.ts';
import { forksOf } from '../forksOf.ts';
import { playedRows, readWorld, wholeBatch } from './readBatch.ts';

/** So many words of one replica, from a slice that has as many for each. */
type ReadPart = (slice: Slice, words: number) => Promise<ArrayBuffer>;

/** The stored batch of one replica with its credit, read back. `parts`: of a credit that the CPU computed. */
export async function viewOf(
  gpu: Gpu,
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
  const part: ReadPart = (slice, words) =>
    readBack(gpu, { buffer: slice.buffer, offset: slice.offset + replica * words * 4, size: words * 4 });
  const stats = process?.policyStats ?? b.stats;
  const [{ batch, state, probs }, A, theta, after, perStep, ...parts] = await together([
    wholeBatch({ gpu, plan, b, s: replica }),
    part(b.creditPart(0), rows),
    part(whole(b.sampledTheta), plan.layout.size),
    part(whole(b.theta), plan.layout.size),
    part(whole(stats), rows * 6),
    ...Object.values(lists.parts).map((column) => part(column.handle as Slice, rows)),
  ]);
  const versions = await past.played(tasks, replica);
  const world = await readWorld({ gpu, plan, b, s: replica });
  const played = levelsPlayed(plan, tasks, replica);
  const seen = plan.scheme?.why && (await playedRows({ gpu, plan, b, s: replica }, plan.scheme.needs ?? [], plan.B));
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
    ...(world
      ? { world, ...(await howPaid(b, plan, of, { ...batch, ...world, levelSeed: played.levelSeeds }, part)) }
      : {}),
    ...(versions ? { versions } : {}),
    ...(restriction ? { restriction: new Float32Array(await part(whole(restriction.weights), plan.layout.size)) } : {}),
    after: new Float32Array(after),
    delta: deltaOf(plan, batch.length, new Float32Array(perStep)),
    weights: isSurveyed(lists.optimize) ? lists.optimize.asked[replica]?.weights : await lists.told?.weights(replica),
    ...(await writtenBy(plan, b, stats, batch.length, part)),
  };
}

/** How what the estimator saw was made of what the world paid. */
async function howPaid(
  b: RunBuffers,
  plan: Plan,
  { extras, tasks, replica }: { readonly extras: Extras; readonly tasks: Tasks; readonly replica: number },
  world: Batch,
  part: ReadPart,
): Promise<Pick<BatchView, 'pays'>> {
  const [after, returns] = [await readMemory(b, plan, replica, part), await part(b.unscaled.outcome, plan.B)];
  const running = b.running && Float64Array.from(new Float32Array(await part(whole(b.running.known), RUNNING)));
  const reference = b.paid && new Float32Array(await part(whole(b.reference), plan.layout.size));
  const memory = memoryBefore(plan, after, world);
  const pays = paysOf(
    { memory, running, reference, ...extras.control.paid(replica, tasks.update) },
    new Float32Array(returns),
  );
  return pays ? { pays } : {};
}

/** Tensors of the reward modules of one replica, this batch counted. */
async function readMemory(b: RunBuffers, plan: Plan, replica: number, part: ReadPart): Promise<Tensors> {
  if (!shapesOnGpu(plan)) return rewardMemory(plan, b.tensors.host.tensors, replica);
  const specs = Object.entries(memorySpec(plan));
  const read = async ([name, tensor]: (typeof specs)[number]): Promise<[string, NumberArray]> => {
    const words = lengthOf(tensor, stateSizes(plan));
    return [name, new ARRAYS[tensor.type](await part(whole(b.tensors.buffer(name)), words)) as NumberArray];
  };
  return Object.fromEntries(await together(specs.map(read)));
}

/** Commands and their words, where actions are written; padding is cleared. */
async function writtenBy(
  plan: Plan,
  b: RunBuffers,
  stats: GPUBuffer,
  length: Uint32Array,
  part: ReadPart,
): Promise<Pick<BatchView, 'written'>> {
  const words = wordsOf(plan.policy);
  if (!words) return {};
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

/** Δ of every step, the fifth of six numbers; padding is 0. */
function deltaOf({ B, T }: Plan, length: Uint32Array, stats: Float32Array): Float32Array {
  return Float32Array.from({ length: B * T }, (_, k) => (k % T < length[Math.floor(k / T)]! ? stats[6 * k + 4]! : 0));
}
