import { NO_VALUE, type ValueForm } from '../../gpu/critic.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import { coefficientsWith, kernels, logpWgsl } from '../../gpu/shaders/kernels.ts';
import { addSums } from '../../gpu/sums.ts';
import { outputsOf } from '../../networks/policy.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { addHold } from './stopAbove.ts';
import type { GpuPast } from './past.ts';
import { valueForm } from './valueForm.ts';
import { weightMode } from './weightMode.ts';

/** Which trajectories are looked at: minibatch m of an epoch; epoch `epochs` has the whole batch as its minibatch 0. */
export type Looked = { readonly epoch: number; readonly minibatch: number };

/**
 * Weights of the trajectories of a minibatch, 0 for replicas that have stopped, and a forward pass of the whole batch, unless
 * the last one was of these parameters.
 */
export async function addLookForward(
  list: CommandList,
  plan: Plan,
  b: RunBuffers,
  past: GpuPast,
  { epoch, minibatch }: Looked,
  isSeen = false,
): Promise<void> {
  const { S, B, T } = plan;
  const mode = weightMode(plan);
  const { member } = b;
  const { length } = b.columns;
  const weighed = { length, units: length, member, plan: b.plan, parts: b.parts };
  await addSums(list, kernels.weights, S, weighed, { S, B, T, most: 1, mode, epoch, minibatch }, true);
  await addHold(list, plan, b, { epoch, minibatch });
  if (!isSeen) await b.network.addForward(list, past.seen, b.out, 'all');
}

/** Loss, statistics and the gradient by the outputs, from the last forward pass; `live` is `b.look` where no step follows. */
export async function addCoefficients(
  list: CommandList,
  plan: Plan,
  b: RunBuffers,
  live: GPUBuffer = b.live,
): Promise<void> {
  const [p0, p1, p2, p3] = plan.objective.uniforms(plan.objectiveParams as never);
  const { out, refOut } = b;
  const buffers = { out, ref_: refOut ?? out, live, plan: b.plan };
  await add(list, plan, b, plan.objective.wgsl, buffers, { ...valueForm(plan), p0, p1, p2, p3 });
}

/** Δ of every step with a weight, and the gradient of Σ weight·log π by the outputs; `live` is all zeros. */
export function addLogpCoefficients(
  list: CommandList,
  plan: Plan,
  b: RunBuffers,
  { out, live }: { readonly out: GPUBuffer; readonly live: GPUBuffer },
  weights: GPUBuffer,
): Promise<void> {
  const nothing = { ...NO_VALUE, p0: 0, p1: 0, p2: 0, p3: 0 };
  return add(list, plan, b, logpWgsl, { out, ref_: out, live, plan: weights }, nothing);
}

async function add(
  list: CommandList,
  plan: Plan,
  b: RunBuffers,
  objective: string,
  buffers: Readonly<Record<'out' | 'ref_' | 'live' | 'plan', GPUBuffer>>,
  of: ValueForm & Readonly<Record<'p0' | 'p1' | 'p2' | 'p3', number>>,
): Promise<void> {
  const { S, B, T } = plan;
  const { choice, sampled, credit, dOut, stats, section } = b;
  await list.add(
    coefficientsWith(objective),
    { ...buffers, choice, sampled, credit, dOut, stats },
    {
      ...{ S, B, T, actions: plan.actions, n: outputsOf(plan), section, floatSection: section },
      ...{ marksAt: b.marksAt, creditAt: b.creditAt },
      ...{ inverse: 1 / plan.temperature, ...of },
    },
    [Math.ceil((B * T) / 64), 1, S],
  );
}
