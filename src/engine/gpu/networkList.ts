import type { CommandList } from '../../gpu/recorder.ts';
import { tune } from '../../gpu/tune.ts';
import { denseOf } from '../../networks/policy.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { addGruBackward, addGruForward } from './gruList.ts';
import { addGradients, addLayers, type DenseNet, type Inputs } from './denseStep.ts';

export const KIND = { tanh: 0, relu: 1, gelu: 2 } as const;

/** Which observations a forward pass reads: one slot of every trajectory, or all steps of the batch. */
export type Rows = { readonly slot: number } | 'all';

/** The policy's chain of layers over these rows, and what its first layer reads. */
export async function netOf(plan: Plan, b: RunBuffers, rows: Rows): Promise<{ net: DenseNet; inputs: Inputs }> {
  const { B, T, S, obsWords } = plan;
  const { shape, layout } = denseOf(plan);
  const { tiled } = await tune(b.gpu);
  const g = {
    words: Math.ceil(shape.features / 32),
    B,
    inner: rows === 'all' ? T : 1,
    outerStride: (T + 1) * obsWords,
    innerStride: rows === 'all' ? obsWords : 0,
    base: rows === 'all' ? 0 : rows.slot * obsWords,
  };
  const halves = rows === 'all' && b.halves ? { halves: b.halves } : {};
  const count = rows === 'all' ? B * T : B;
  return {
    net: { S, rows: count, maxRows: B * T, layout, activation: shape.activation, tiled, ...halves },
    inputs: { bits: b.obs, g },
  };
}

/** Forward pass of all replicas into `out`; a pass over all steps keeps what the backward pass needs. */
export async function addForward(
  list: CommandList,
  plan: Plan,
  b: RunBuffers,
  theta: GPUBuffer,
  out: GPUBuffer,
  rows: Rows,
): Promise<void> {
  if (plan.policy.kind === 'gru') return addGruForward(list, plan, b, { theta, out }, rows);
  const { net, inputs } = await netOf(plan, b, rows);
  await addLayers(list, net, inputs, theta, b, out, rows === 'all');
}

/** ∂L/∂θ of all steps of the batch from dOut and the activations of the last full forward pass. */
export async function addBackward(
  list: CommandList,
  plan: Plan,
  b: RunBuffers,
  theta: GPUBuffer = b.theta,
): Promise<void> {
  if (plan.policy.kind === 'gru') return addGruBackward(list, plan, b, theta);
  const { net, inputs } = await netOf(plan, b, 'all');
  await addGradients(list, net, inputs, theta, b, b.dOut, b);
}
