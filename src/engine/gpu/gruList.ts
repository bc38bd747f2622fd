import { slicesOf } from '../../core/slices.ts';
import { bitForm, bitForward, bitGradient, type BitRows } from '../../gpu/bitProducts.ts';
import type { Gpu } from '../../gpu/device.ts';
import {
  backwardForm,
  forwardForm,
  forwardProduct,
  gradientForm,
  inputGradient,
  weightGradient,
  type Layer,
} from '../../gpu/products.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { tune } from '../../gpu/tune.ts';
import { gruOffsets, gruOutputs, type GruShape } from '../../networks/gru/shape.ts';
import { gruOf } from '../../networks/policy.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import type { Rows } from './networkList.ts';

/** What a recurrent unit keeps of every step besides its memory: see gruCell.wgsl. `x` holds ∂x on the way back. */
export type GruStore = {
  readonly x: GPUBuffer;
  readonly dU: GPUBuffer;
  readonly gates: GPUBuffer;
  readonly before: GPUBuffer;
  readonly now: GPUBuffer;
};

/** Buffers for N steps of all replicas. */
export function gruStore({ hidden: H }: GruShape, N: number, make: (floats: number) => GPUBuffer): GruStore {
  return { x: make(3 * H * N), dU: make(3 * H * N), gates: make(4 * H * N), before: make(H * N), now: make(H * N) };
}

/** The three products of a recurrent unit over `rows` rows: of the input, of the memory, of the head. */
function layersOf({ S, B, T, policy, layout }: Plan, rows: number): readonly [Layer, Layer, Layer] {
  const shape = gruOf({ policy });
  const { features, hidden: H } = shape;
  const sizes: [number, number][] = [
    [features, 3 * H],
    [H, 3 * H],
    [H, gruOutputs(shape)],
  ];
  const at = gruOffsets(layout);
  return sizes.map(([inputs, out], k) => ({
    ...{ S, rows, maxRows: B * T, inputs, out, size: layout.size },
    ...{ weightAt: at[k]!.weight, biasAt: at[k]!.bias },
  })) as unknown as readonly [Layer, Layer, Layer]; // one of each size
}

/** Which bits each row reads: those of one slot of every trajectory, or of all steps. */
function bitsOf({ B, T, obsWords, policy }: Plan, rows: Rows): BitRows {
  const isAll = rows === 'all';
  return {
    words: Math.ceil(gruOf({ policy }).features / 32),
    ...{ B, inner: isAll ? T : 1, outerStride: (T + 1) * obsWords, innerStride: isAll ? obsWords : 0 },
    base: isAll ? 0 : rows.slot * obsWords,
  };
}

const tiledOn = async (gpu: Gpu): Promise<boolean> => (await tune(gpu)).tiled;

/**
 * Forward pass of all replicas into `out`: all steps one after the other, which keeps what the way back needs, or one slot
 * of all episodes behind the slots before it. What is remembered lies in `b.H[0]` [S, B, T, H].
 */
export async function addGruForward(
  list: CommandList,
  plan: Plan,
  b: RunBuffers,
  { theta, out }: { readonly theta: GPUBuffer; readonly out: GPUBuffer },
  rows: Rows,
): Promise<void> {
  const { S, B, T } = plan;
  const { hidden: H } = gruOf(plan);
  const isAll = rows === 'all';
  const [input, memory, head] = layersOf(plan, isAll ? B * T : B);
  const { x, gates, before, now } = b.gru!;
  const after = b.H[0]!;
  const read = bitForward(input, bitsOf(plan, rows), bitForm(input), 'none', false);
  await list.add(read.kernel, { bits: b.obs, theta, Y: x }, read.dims, read.groups);
  const { size, weightAt, biasAt, maxRows } = memory;
  const step = (t: number): Promise<void> => {
    const dims = { B, T, H, t, stride: isAll ? T : 1, at: isAll ? t : 0, maxRows, size, weightAt, biasAt };
    const how = { isLast: Number(t === T), keeps: Number(isAll) };
    const buffers = { theta, x, length: b.columns.length, after, before, gates, now };
    return list.add(kernels.gruCell, buffers, { ...dims, ...how }, [Math.ceil((B * H) / 64), 1, S]);
  };
  if (isAll) for (let t = 0; t < T; t++) await step(t);
  else await step(rows.slot);
  const answer = forwardProduct(head, forwardForm(head, await tiledOn(b.gpu)), 'none', false);
  await list.add(answer.kernel, { X: isAll ? after : now, theta, Y: out }, answer.dims, answer.groups);
}

/** ∂L/∂θ of all steps of the batch from dOut and what the last full forward pass left. */
export async function addGruBackward(list: CommandList, plan: Plan, b: RunBuffers, theta: GPUBuffer): Promise<void> {
  const { S, B, T, layout } = plan;
  const { hidden: H, unroll } = gruOf(plan);
  const [input, memory, head] = layersOf(plan, B * T);
  const { x: dX, dU, gates, before } = b.gru!;
  const [after, dH] = [b.H[0]!, b.dH[0]!];
  const { partials, gradient, dOut } = b;
  const tiled = await tiledOn(b.gpu);
  const slices = slicesOf(B * T, layout.size);
  const gradientOf = async (layer: Layer, X: GPUBuffer, dY: GPUBuffer): Promise<void> => {
    const { kernel, dims, groups } = weightGradient(layer, gradientForm(layer, tiled), slices);
    await list.add(kernel, { X, dY, partials }, dims, groups);
  };
  await gradientOf(head, after, dOut);
  const back = inputGradient(head, backwardForm(head, tiled), 'none');
  await list.add(back.kernel, { dY: dOut, theta, dX: dH }, back.dims, back.groups);
  const { size, weightAt } = memory;
  for (let t = T - 1; t >= 0; t--) {
    const buffers = { theta, gates, before, dH, dX, dU };
    const dims = { B, T, H, t, unroll, size, weightAt };
    await list.add(kernels.gruCellBackward, buffers, dims, [Math.ceil((B * H) / 64), 1, S]);
  }
  await gradientOf(memory, before, dU);
  const first = bitGradient(input, bitsOf(plan, 'all'), bitForm(input), slices);
  await list.add(first.kernel, { bits: b.obs, dY: dX, partials }, first.dims, first.groups);
  await list.add(kernels.sliceSum, { partials, gradient }, { size: layout.size, slices }, [
    Math.ceil(layout.size / 256),
    1,
    S,
  ]);
}
