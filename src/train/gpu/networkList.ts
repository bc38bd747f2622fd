import type { CommandList } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { outputs } from '../../policies/network.ts';
import { denseOf } from '../../policies/policy.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

export const KIND = { tanh: 0, relu: 1, gelu: 2 } as const;

/** Which observations a forward pass reads: one slot of every trajectory, or all steps of the batch. */
export type Rows = { readonly slot: number } | 'all';

function offsets(plan: Plan, layer: number): { weightAt: number; biasAt: number; hasBias: number } {
  const weight = plan.layout.tensors.find((t) => t.layer === layer && t.kind === 'weight')!;
  const bias = plan.layout.tensors.find((t) => t.layer === layer && t.kind === 'bias');
  return { weightAt: weight.offset, biasAt: bias?.offset ?? 0, hasBias: bias ? 1 : 0 };
}

function sparseDims(plan: Plan, rows: Rows): Record<string, number> {
  const { B, T, obsWords } = plan;
  const { shape, layout } = denseOf(plan);
  const outerStride = (T + 1) * obsWords;
  const { weightAt, biasAt, hasBias } = offsets(plan, 0);
  return {
    rows: rows === 'all' ? B * T : B,
    out: layout.widths[1]!,
    words: Math.ceil(shape.features / 32),
    B,
    inner: rows === 'all' ? T : 1,
    outerStride,
    innerStride: rows === 'all' ? obsWords : 0,
    size: layout.size,
    weightAt,
    biasAt,
    hasBias,
    maxRows: B * T,
  };
}

/** Forward pass of all replicas into `out`; Z and H of the hidden layers stay for the backward pass. */
export async function addForward(
  list: CommandList,
  plan: Plan,
  b: RunBuffers,
  theta: GPUBuffer,
  out: GPUBuffer,
  rows: Rows,
): Promise<void> {
  const { B, T, S } = plan;
  const { shape, layout } = denseOf(plan);
  const { hidden } = shape;
  const count = rows === 'all' ? B * T : B;
  for (let layer = 0; layer <= hidden.length; layer++) {
    const width = layout.widths[layer + 1]!;
    const Y = layer === hidden.length ? out : b.Z[layer]!;
    if (layer === 0) {
      const dims = { ...sparseDims(plan, rows), base: rows === 'all' ? 0 : rows.slot * plan.obsWords };
      await list.add(kernels.sparseForward, { bits: b.obs, theta, Y }, dims, [Math.ceil((count * width) / 64), 1, S]);
    } else {
      const dims = {
        rows: count,
        inputs: layout.widths[layer]!,
        out: width,
        maxRows: B * T,
        size: layout.size,
        ...offsets(plan, layer),
      };
      const blocks = Math.ceil(count / 4) * Math.ceil(width / 4);
      await list.add(kernels.denseForward, { X: b.H[layer - 1]!, theta, Y }, dims, [Math.ceil(blocks / 64), 1, S]);
    }
    if (layer < hidden.length) {
      const dims = { count: count * width, stride: B * T * width, kind: KIND[shape.activation] };
      await list.add(kernels.activate, { Z: b.Z[layer]!, H: b.H[layer]! }, dims, [
        Math.ceil((count * width) / 64),
        1,
        S,
      ]);
    }
  }
}

/** ∂L/∂θ of all steps of the batch from dOut and the activations of the last full forward pass. */
export async function addBackward(
  list: CommandList,
  plan: Plan,
  b: RunBuffers,
  theta: GPUBuffer = b.theta,
): Promise<void> {
  const { B, T, S } = plan;
  const { shape, layout } = denseOf(plan);
  const { hidden } = shape;
  const rows = B * T;
  const n = outputs(shape);
  for (let layer = hidden.length; layer >= 0; layer--) {
    const width = layer === hidden.length ? n : layout.widths[layer + 1]!;
    const dY = layer === hidden.length ? b.dOut : b.dH[layer]!;
    if (layer < hidden.length) {
      const dims = { count: rows * width, stride: rows * width, kind: KIND[shape.activation] };
      await list.add(kernels.activateBackward, { Z: b.Z[layer]!, H: dY }, dims, [Math.ceil((rows * width) / 64), 1, S]);
    }
    const { weightAt, biasAt, hasBias } = offsets(plan, layer);
    if (layer === 0) {
      const dims = { ...sparseDims(plan, 'all'), features: shape.features };
      const groups = Math.ceil(((shape.features + hasBias) * width) / 64);
      await list.add(kernels.sparseGradient, { bits: b.obs, dY, gradient: b.gradient }, dims, [groups, 1, S]);
    } else {
      const inputs = layout.widths[layer]!;
      const dims = { rows, inputs, out: width, maxRows: rows, size: layout.size, weightAt };
      const X = b.H[layer - 1]!;
      const groups = Math.ceil(((inputs + hasBias) * Math.ceil(width / 4)) / 64);
      await list.add(kernels.denseGradient, { X, dY, gradient: b.gradient }, { ...dims, biasAt, hasBias }, [
        groups,
        1,
        S,
      ]);
      const blocks = Math.ceil(rows / 4) * inputs;
      await list.add(kernels.denseBackward, { dY, theta, dX: b.dH[layer - 1]! }, dims, [Math.ceil(blocks / 64), 1, S]);
    }
  }
}
