import type { Gpu } from '../../gpu/device.ts';
import { CommandList } from '../../gpu/recorder.ts';
import {
  fusedForwardWith,
  fusedRolloutWith,
  kernels,
  PLAYERS,
  type Chain,
  type LinkedWorld,
} from '../../gpu/shaders/kernels.ts';
import type { Kernel } from '../../gpu/kernel.ts';
import { tune, type Tuning } from '../../gpu/tune.ts';
import { KIND } from '../../networks/dense/shape.ts';
import { denseOf, outputsOf } from '../../networks/policy.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import type { GpuRestriction } from './restriction.ts';
import { paceOf, sizesOf } from './pace.ts';
import { addOwnLengths } from './givenRows.ts';
import { MOST_PIECES } from './stepSizes.ts';
import { Sequence, type StepSize } from './tokenSequence.ts';
import { addTurnLast, playsInParts } from './playsInParts.ts';
import { addWorld, linkedWorld, rolloutDims, worldColumns } from './worldList.ts';

/** How many steps are played in one dispatch: one trajectory by one invocation, or several by a workgroup. */
type Form = {
  readonly kernelOf: (world: LinkedWorld, network: Chain, episodes: number) => Promise<Kernel> | Kernel;
  /** trajectories of a workgroup: few, so that small batches still spread over the device */
  readonly players: number;
};
const ALONE: Form = { kernelOf: fusedRolloutWith, players: 32 };
const SHARED: Form = {
  // only devices with fast workgroup memory play so
  kernelOf: async (...asked) => (await import('../../gpu/shaders/sharedRollout.ts')).sharedRolloutWith(...asked),
  players: PLAYERS,
};
/** Wider layers fit neither the registers of one invocation nor the memory of a workgroup, in that order. */
const WIDEST = 64;
const WIDEST_SHARED = 256;
/**
 * Where workgroup memory is fast, most networks are walked together: on an H200, 30 steps of 128 episodes take 0.75 ms
 * instead of 1.18 with 64 hidden units and 3.9 instead of 10.9 with 64-64. A small network is quicker alone (0.58 to 0.71 with
 * 8), and so is one hidden layer where trajectories fill the device (65,536 of them: 3.6 to 4.1).
 */
const FEW_WEIGHTS = 4096;
const MANY = 32_768;

/** How a rollout is recorded. */
export type RolloutForm = {
  /** false: the plain way, for comparison */
  readonly isFused: boolean;
  /** one more network, which no fused form has */
  readonly restriction?: GpuRestriction | null;
  /** what the device is good at, instead of a measurement */
  readonly tuned?: Pick<Tuning, 'tiled' | 'fusedUpTo'>;
};

/** All steps of all episodes. Wide networks share workgroup memory where that is fast. */
export async function rolloutList(
  gpu: Gpu,
  plan: Plan,
  b: RunBuffers,
  { isFused, restriction = null, tuned }: RolloutForm,
): Promise<Sequence> {
  const play = async (): Promise<Sequence> => {
    if (b.tokens) return (await import('./tokenRollout.ts')).tokenRollout(gpu, plan, b, b.tokens, restriction);
    const found = tuned ?? (await tune(gpu));
    const form = isFused && !restriction && plan.policy.network.isChain ? formOf(gpu, plan, b, found) : null;
    if (form) return fused(gpu, plan, b, form);
    const inOne = found.tiled && !restriction && !playsInParts(plan) && canBind(gpu, b);
    return inOne ? stepsInOne(gpu, plan, b) : stepByStep(gpu, plan, b, restriction);
  };
  const sequence = await play();
  if (b.ownLength) await addOwnLengths(sequence.add(new CommandList(gpu, 'rollout', b.all)), plan, b);
  return sequence;
}

/** Can the buffers of a decision and a move be bound as a whole? */
const canBind = ({ device }: Gpu, { levels, result, draws }: RunBuffers): boolean =>
  [levels, result, draws].every(({ size }) => size <= device.limits.maxStorageBufferBindingSize);

/**
 * Null where the network is too wide, the device is faster without, or a buffer cannot be bound as a whole: then every
 * step is a few dispatches.
 */
function formOf(
  gpu: Gpu,
  plan: Plan,
  b: RunBuffers,
  { tiled, fusedUpTo }: Pick<Tuning, 'tiled' | 'fusedUpTo'>,
): Form | null {
  if (!canBind(gpu, b)) return null;
  const { widths, size } = denseOf(plan).layout;
  if (plan.S * plan.B * size > fusedUpTo) return null;
  const widest = Math.max(...widths.slice(1));
  const canShare = tiled && widths.length > 2 && widths.at(-1)! <= WIDEST && widest <= WIDEST_SHARED;
  if (widest > WIDEST) return canShare ? SHARED : null;
  const isWorthIt = size > FEW_WEIGHTS && (widths.length > 3 || plan.S * plan.B <= MANY);
  return canShare && isWorthIt ? SHARED : ALONE;
}

function chainOf(plan: Plan): Chain {
  const { layout, shape } = denseOf(plan);
  const at = (kind: 'weight' | 'bias'): number[] =>
    layout.tensors.filter((tensor) => tensor.kind === kind).map(({ offset }) => offset);
  const weightsAt = at('weight');
  return { widths: layout.widths, weightsAt, biasesAt: shape.bias ? at('bias') : weightsAt, hasBias: shape.bias };
}

/** What kernels that decide and move in one dispatch are told, but for the network and the steps. */
function playedDims(plan: Plan, b: RunBuffers) {
  const { S: _, taskAt: _task, finalKeyAt: _key, beginsAt: _begins, ...world } = rolloutDims(plan, b);
  return {
    ...world,
    rollAt: b.rollAt,
    shown: b.shown,
    probsAt: b.probsAt,
    floatSection: b.section,
    actions: plan.actions,
    n: outputsOf(plan),
    inverse: 1 / plan.temperature,
  };
}

/** Many steps per dispatch, in sizes from which the pace chooses. */
async function fused(gpu: Gpu, plan: Plan, b: RunBuffers, form: Form): Promise<Sequence> {
  const { B, T, S, obsWords, layout } = plan;
  const { players } = form;
  const { shape } = denseOf(plan);
  const network = chainOf(plan);
  const kind = KIND[shape.activation];
  const sequence = new Sequence(paceOf(gpu, `rollout ${sizesOf(plan)}`));
  await addWorld(sequence.add(new CommandList(gpu, 'rollout', b.all), 1, -1), plan, b, 'start');
  const sizes: StepSize[] = [];
  const kernel = await form.kernelOf(await linkedWorld(plan), network, S * B);
  const { levels, sampledTheta: theta, choice, result, draws: sampled, flags } = b;
  const dims = { ...playedDims(plan, b), size: layout.size, kind };
  for (let steps = -MOST_PIECES; steps === -MOST_PIECES || 2 ** (steps - 1) < T; steps++) {
    const pieces = 2 ** Math.max(0, -steps);
    const rows = Math.ceil(B / pieces / players) * players;
    if (pieces > 1 && rows * (pieces - 1) >= B) continue;
    const lists: CommandList[] = [];
    for (let from = 0; from < B; from += rows) {
      const list = new CommandList(gpu, 'rollout', b.all);
      const to = Math.min(B, from + rows);
      await list.add(
        kernel,
        { levels, theta, ...worldColumns(b), choice, result, sampled, flags },
        { ...dims, chunk: 2 ** Math.max(0, steps), from_: from, to },
        [Math.ceil((to - from) / players), 1, S],
      );
      lists.push(list);
    }
    sizes.push({ steps, lists });
  }
  sequence.addSteps(T, sizes);
  const end = sequence.add(new CommandList(gpu, 'rollout', b.all));
  await addWorld(end, plan, b, 'observe', T);
  if (shape.critic && form === SHARED) await b.network.addForward(end, b.sampledTheta, b.out, { slot: T });
  else if (shape.critic)
    await end.add(
      fusedForwardWith(network),
      { obs: b.obs, theta, Y: b.out },
      { B, outerStride: (T + 1) * obsWords, base: T * obsWords, size: layout.size, maxRows: B * T, kind },
      [Math.ceil(B / players), 1, S],
    );
  await addTurnLast(end, plan, b);
  return sequence;
}

/** Every step of all episodes as dispatches of its network, and one for decision, move and observation. */
async function stepsInOne(gpu: Gpu, plan: Plan, b: RunBuffers): Promise<Sequence> {
  const { S, B, T } = plan;
  const sequence = new Sequence(paceOf(gpu, `steps ${sizesOf(plan)}`));
  const list = sequence.add(new CommandList(gpu, 'rollout', b.all), 1, null);
  const { levels, out, choice, result, draws: sampled, flags, sampledTheta: theta } = b;
  // few devices play so
  const { playedStepWith } = await import('../../gpu/shaders/playedStep.ts');
  const kernel = playedStepWith(await linkedWorld(plan));
  const buffers = { levels, out, ...worldColumns(b), choice, result, sampled, flags };
  const dims = { ...playedDims(plan, b), size: 0, kind: 0, from_: 0, to: B };
  await addWorld(list, plan, b, 'start');
  await addWorld(list, plan, b, 'observe', 0);
  for (let t = 0; t < T; t++) {
    await b.network.addForward(list, theta, out, { slot: t });
    await list.add(kernel, buffers, { ...dims, chunk: t }, [Math.ceil(B / 64), 1, S]);
  }
  await addWorld(list, plan, b, 'observe', T);
  if (plan.policy.shape.critic) await b.network.addForward(list, theta, out, { slot: T });
  await addTurnLast(list, plan, b);
  return sequence;
}

/**
 * Every step of all episodes as dispatches of its own: observation, layers, decision, move. Where several versions play a
 * batch, each step is a list of its own.
 */
async function stepByStep(gpu: Gpu, plan: Plan, b: RunBuffers, restriction: GpuRestriction | null): Promise<Sequence> {
  const { S, B, T } = plan;
  const sequence = new Sequence(paceOf(gpu, `steps ${sizesOf(plan)}`));
  const inTurns = playsInParts(plan);
  const add = (t: number | null): CommandList => sequence.add(new CommandList(gpu, 'rollout', b.all), 1, t);
  let list = add(inTurns ? -1 : null);
  const { choice, sampledTheta: theta } = b;
  const { length } = b.columns;
  await addWorld(list, plan, b, 'start');
  for (let t = 0; t < T; t++) {
    if (inTurns) await addWorld((list = add(t)), plan, b, 'turn', t);
    await addWorld(list, plan, b, 'observe', t);
    if (restriction) await restriction.addSet(list, plan, b, t);
    await b.network.addForward(list, theta, b.out, { slot: t });
    await list.add(
      kernels.policyHead,
      { logits: b.out, length, roll: b.roll, choice, sampled: b.sampled, probs: b.columns.probs, flags: b.flags },
      {
        B,
        T,
        t,
        actions: plan.actions,
        n: outputsOf(plan),
        maxRows: B * T,
        section: b.section,
        floatSection: b.section,
        inverse: 1 / plan.temperature,
        shown: b.shown,
      },
      [Math.ceil(B / 64), 1, S],
    );
    if (restriction) await restriction.addRestore(list, plan, b, t);
    await addWorld(list, plan, b, 'step', t);
  }
  if (inTurns) list = add(null);
  await addWorld(list, plan, b, 'observe', T);
  if (plan.policy.shape.critic) await b.network.addForward(list, theta, b.out, { slot: T });
  await addTurnLast(list, plan, b);
  return sequence;
}
