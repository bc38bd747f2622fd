import type { CommandList, Slice } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import type { Kernel } from '../../gpu/kernel.ts';
import type { Level, TokenBuffers } from './tokenBuffers.ts';

export type Buffer = GPUBuffer | Slice;

/** What a pass over a chunk is recorded with. */
export type Pass = { readonly list: CommandList; readonly b: TokenBuffers; readonly theta: Buffer };

const size = (b: TokenBuffers): number => b.layout.size;

/** A kernel with one invocation per number of an array [level, width]. */
export function perNumber(
  { list, b }: Pass,
  kernel: Kernel,
  level: Level,
  width: number,
  buffers: Readonly<Record<string, Buffer>>,
  dims: Readonly<Record<string, number>>,
): Promise<void> {
  const groups = Math.ceil((level.max * width) / 64);
  return list.add(kernel, { rows: b.rows, ...buffers }, { stride: b.stride, ...dims }, [groups, 1, b.S]);
}

/** Which rows are live and how far apart the replicas are. */
export const live = (level: Level): { which: number; maxRows: number } => ({ which: level.which, maxRows: level.max });

/** Y = X·W + b with the tensors `weight` and `bias`, then ReLU. */
export function linear(
  pass: Pass,
  level: Level,
  X: Buffer,
  Y: Buffer,
  weight: string,
  bias: string | null,
  relu: boolean,
): Promise<void> {
  const { b, theta } = pass;
  const { rows: inputs, cols: out } = tensor(b, weight);
  const blocks = Math.ceil(level.max / 4) * Math.ceil(out / 4);
  const dims = {
    ...live(level),
    stride: b.stride,
    inputs,
    out,
    size: size(b),
    weightAt: b.at[weight]!,
    biasAt: bias === null ? 0 : b.at[bias]!,
    hasBias: bias === null ? 0 : 1,
    relu: relu ? 1 : 0,
  };
  return pass.list.add(kernels.tokenLinear, { rows: b.rows, X, theta, Y }, dims, [Math.ceil(blocks / 64), 1, b.S]);
}

/** dX (+)= dY·Wᵀ, 0 where `mask` is not positive; and the gradients of W and its bias. */
export async function linearBackward(
  pass: Pass,
  level: Level,
  X: Buffer,
  dY: Buffer,
  dX: Buffer,
  weight: string,
  bias: string | null,
  how: { readonly accumulate?: boolean; readonly mask?: Buffer | null } = {},
): Promise<void> {
  const { b, theta, list } = pass;
  const { rows: inputs, cols: out } = tensor(b, weight);
  const hasBias = bias === null ? 0 : 1;
  const common = { ...live(level), stride: b.stride, inputs, out, size: size(b), weightAt: b.at[weight]! };
  const blocks = Math.ceil((inputs + hasBias) / 4) * Math.ceil(out / 4);
  await list.add(
    kernels.tokenLinearGradient,
    { rows: b.rows, X, dY, partials: b.partials },
    { ...common, slices: b.slices, biasAt: bias === null ? 0 : b.at[bias]!, hasBias },
    [Math.ceil(blocks / 64), b.slices, b.S],
  );
  await list.add(
    kernels.tokenLinearBackward,
    { rows: b.rows, dY, theta, mask: how.mask ?? dY, dX },
    { ...common, accumulate: how.accumulate ? 1 : 0, hasMask: how.mask ? 1 : 0 },
    [Math.ceil((Math.ceil(level.max / 4) * Math.ceil(inputs / 4)) / 64), 1, b.S],
  );
}

/** Y = layer norm of X with the tensors `name`gain and `name`bias. */
export function norm(pass: Pass, level: Level, X: Buffer, Y: Buffer, moments: Buffer, name: Norm): Promise<void> {
  const { b, theta } = pass;
  const { gain, bias } = normNames(name);
  const dims = { ...live(level), D: b.shape.width, size: size(b), gainAt: b.at[gain]!, biasAt: b.at[bias]! };
  return perNumber(pass, kernels.layerNorm, level, 1, { X, theta, Y, moments }, dims);
}

/** dX (+)= the backward pass of `norm`, and the gradients of its tensors. */
export async function normBackward(
  pass: Pass,
  level: Level,
  X: Buffer,
  moments: Buffer,
  dY: Buffer,
  dX: Buffer,
  name: Norm,
  accumulate: boolean,
): Promise<void> {
  const { b, theta, list } = pass;
  const { gain, bias } = normNames(name);
  const D = b.shape.width;
  const common = { ...live(level), stride: b.stride, D, size: size(b), gainAt: b.at[gain]! };
  const groups = [Math.ceil(D / 64), b.slices, b.S] as const;
  await list.add(
    kernels.layerNormGradient,
    { rows: b.rows, X, moments, dY, partials: b.partials },
    { ...common, slices: b.slices, biasAt: b.at[bias]! },
    groups,
  );
  const dims = { ...common, accumulate: accumulate ? 1 : 0 };
  await perNumber(pass, kernels.layerNormBackward, level, 1, { X, moments, theta, dY, dX }, dims);
}

/** A layer norm: first or second of a layer, or the last of the network. */
export type Norm = { readonly which: 1 | 2; readonly layer: number } | 'last';
function normNames(name: Norm): { gain: string; bias: string } {
  if (name === 'last') return { gain: 'lnfgain', bias: 'lnfbias' };
  return { gain: `ln${name.which}gain.${name.layer}`, bias: `ln${name.which}bias.${name.layer}` };
}

export function tensor(b: TokenBuffers, name: string): { readonly rows: number; readonly cols: number } {
  return b.layout.tensors.find((t) => t.name === name)!;
}
