import type { Gpu } from '../../gpu/device.ts';
import { CommandList } from '../../gpu/recorder.ts';
import { fusedForwardWith, fusedRolloutWith, kernels, type Chain } from '../../gpu/shaders/kernels.ts';
import { outputs } from '../../policies/network.ts';
import { denseOf } from '../../policies/policy.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { addForward, KIND } from './networkList.ts';
import { MOST_PIECES, paceOf, sizesOf } from './pace.ts';
import { Sequence, type StepSize } from './tokenSequence.ts';
import { tokenRollout } from './tokenUpdate.ts';
import { addWorld, rolloutDims } from './worldList.ts';

/** Wider layers do not fit the registers of one invocation: then every step is a few dispatches. */
const WIDEST = 64;
/** Invocations of a workgroup of the fused kernels: few, so that small batches still spread over the device. */
const GROUP = 32;

/** All steps of all episodes. `isFused` false: the plain way, for comparison. */
export async function rolloutList(gpu: Gpu, plan: Plan, b: RunBuffers, isFused: boolean): Promise<Sequence> {
  if (b.tokens) return tokenRollout(gpu, plan, b, b.tokens);
  return isFused && fits(gpu, plan, b) ? fused(gpu, plan, b) : stepByStep(gpu, plan, b);
}

/** Is the network narrow enough for one invocation, and can every buffer be bound as a whole? */
function fits({ device }: Gpu, plan: Plan, b: RunBuffers): boolean {
  const most = device.limits.maxStorageBufferBindingSize;
  return (
    Math.max(...denseOf(plan).layout.widths.slice(1)) <= WIDEST &&
    [b.levels, b.result, b.draws].every((buffer) => buffer.size <= most)
  );
}

function chainOf(plan: Plan): Chain {
  const { layout, shape } = denseOf(plan);
  const at = (kind: 'weight' | 'bias'): number[] =>
    layout.tensors.filter((tensor) => tensor.kind === kind).map(({ offset }) => offset);
  const weightsAt = at('weight');
  return { widths: layout.widths, weightsAt, biasesAt: shape.bias ? at('bias') : weightsAt, hasBias: shape.bias };
}

/** One invocation plays one episode: many steps per dispatch, in sizes from which the pace chooses. */
async function fused(gpu: Gpu, plan: Plan, b: RunBuffers): Promise<Sequence> {
  const { B, T, S, obsWords, layout } = plan;
  const { shape } = denseOf(plan);
  const network = chainOf(plan);
  const kind = KIND[shape.activation];
  const sequence = new Sequence(paceOf(gpu, `rollout ${sizesOf(plan)}`));
  await addWorld(sequence.add(new CommandList(gpu, 'rollout', b.all)), plan, b, 'start');
  const sizes: StepSize[] = [];
  const { wgsl, flicker } = plan.env.gpu!;
  const kernel = fusedRolloutWith(wgsl, flicker, network);
  const { levels, sampledTheta: theta, state, obs, choice, result, draws: sampled, flags } = b;
  const { S: _, taskAt: _task, finalKeyAt: _key, ...world } = rolloutDims(plan, b);
  const dims = {
    ...world,
    rollAt: b.rollAt,
    probsAt: b.probsAt,
    floatSection: b.section,
    actions: shape.actions,
    n: outputs(shape),
    inverse: 1 / plan.temperature,
    size: layout.size,
    kind,
  };
  for (let steps = -MOST_PIECES; steps === -MOST_PIECES || 2 ** (steps - 1) < T; steps++) {
    const pieces = 2 ** Math.max(0, -steps);
    const rows = Math.ceil(B / pieces / GROUP) * GROUP;
    if (pieces > 1 && rows * (pieces - 1) >= B) continue;
    const lists: CommandList[] = [];
    for (let from = 0; from < B; from += rows) {
      const list = new CommandList(gpu, 'rollout', b.all);
      const to = Math.min(B, from + rows);
      await list.add(
        kernel,
        { levels, theta, state, obs, choice, result, sampled, flags },
        { ...dims, chunk: 2 ** Math.max(0, steps), from_: from, to },
        [Math.ceil((to - from) / GROUP), 1, S],
      );
      lists.push(list);
    }
    sizes.push({ steps, lists });
  }
  sequence.addSteps(T, sizes);
  const end = sequence.add(new CommandList(gpu, 'rollout', b.all));
  await addWorld(end, plan, b, 'finish');
  if (shape.critic)
    await end.add(
      fusedForwardWith(network),
      { obs: b.obs, theta, Y: b.out },
      { B, outerStride: (T + 1) * obsWords, base: T * obsWords, size: layout.size, maxRows: B * T, kind },
      [Math.ceil(B / GROUP), 1, S],
    );
  return sequence;
}

/** Every step of all episodes as dispatches of its own: observation, layers, decision, move. */
async function stepByStep(gpu: Gpu, plan: Plan, b: RunBuffers): Promise<Sequence> {
  const { S, B, T } = plan;
  const { shape } = denseOf(plan);
  const sequence = new Sequence(paceOf(gpu, `steps ${sizesOf(plan)}`));
  const list = sequence.add(new CommandList(gpu, 'rollout', b.all));
  const { choice, length, sampledTheta: theta } = b;
  await addWorld(list, plan, b, 'start');
  for (let t = 0; t < T; t++) {
    await addWorld(list, plan, b, 'observe', t);
    await addForward(list, plan, b, theta, b.out, { slot: t });
    await list.add(
      kernels.policyHead,
      { logits: b.out, length, roll: b.roll, choice, sampled: b.sampled, probs: b.probs, flags: b.flags },
      {
        B,
        T,
        t,
        actions: shape.actions,
        n: outputs(shape),
        maxRows: B * T,
        section: b.section,
        floatSection: b.section,
        inverse: 1 / plan.temperature,
      },
      [Math.ceil(B / 64), 1, S],
    );
    await addWorld(list, plan, b, 'step', t);
  }
  await addWorld(list, plan, b, 'finish');
  if (shape.critic) await addForward(list, plan, b, theta, b.out, { slot: T });
  return sequence;
}
