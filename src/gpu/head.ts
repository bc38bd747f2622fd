import type { BitRows } from './bitProducts.ts';
import { bitForwardForm } from './bitProducts.ts';
import type { Gpu } from './device.ts';
import type { Buffer } from './network.ts';
import { actWith, forwardForm, keepsZ, type Act, type Layer, type Tiles } from './products.ts';
import head from './shaders/objective/coefficients/head.wgsl?raw';
import headBack from './shaders/objective/coefficients/headBack.wgsl?raw';
import noBack from './shaders/objective/coefficients/noBack.wgsl?raw';
import whole from './shaders/objective/coefficients/whole.wgsl?raw';
import wholeBack from './shaders/objective/coefficients/wholeBack.wgsl?raw';

/** The last layer of a network in one dispatch with the objective, or the whole network: what coefficients are linked and bound to for it. */
export type Head = {
  readonly id: 'coefficients.head' | 'coefficients.whole';
  readonly link: readonly string[];
  readonly buffers: Readonly<Record<string, Buffer>>;
  readonly dims: Readonly<Record<string, number>>;
  /** rows of a workgroup */
  readonly seats: number;
};

/** A first layer, which reads observation bits, where there is one other layer behind it. */
export type First = { readonly layer: Layer; readonly bits: Buffer; readonly g: BitRows };

/** Numbers that fit the memory of a workgroup on every device, and the rows that it has. */
const MOST = 4096;
const ROWS = 64;
const WHOLE_ROWS = 16;
/** Storage buffers that a dispatch binds; WebGPU promises eight. */
const BINDINGS = 9;
const WHOLE_BINDINGS = 10;

const sizesOf = (inputs: number, out: number): string => `const INPUTS = ${inputs}u;\nconst OUTPUTS = ${out}u;`;

/** WGSL of a layer with so many inputs and outputs, behind an activation; the way back where it `learns`. */
export const headWith = (inputs: number, out: number, act: Act, learns: boolean): readonly string[] => [
  sizesOf(inputs, out),
  head,
  ...(learns ? [actWith(act), headBack] : [noBack]),
];

/** The same of a whole network with so many inputs of its last layer, and words of an observation. */
export const wholeWith = (words: number, inputs: number, out: number, act: Act, learns: boolean): readonly string[] => [
  `${sizesOf(inputs, out)}\nconst WORDS = ${words}u;`,
  actWith(act),
  whole,
  learns ? wholeBack : noBack,
];

type How = { readonly tiles: Tiles; readonly activation: Act };
type Buffers = { readonly X: Buffer; readonly theta: Buffer; readonly dX: Buffer | null };

/**
 * A last layer over a list of rows, where it is one of fine tiles and fits a workgroup; with the first one, where that is all
 * of the network and fits, too; null where it is a dispatch of its own. X: what it reads, made by the activation; dX: where
 * ∂L by what that was made from goes, null where no step follows.
 */
export function headOf(gpu: Gpu, layer: Layer, how: How, buffers: Buffers, first: First | null = null): Head | null {
  const { X, theta, dX } = buffers;
  const { tiles, activation: act } = how;
  const { inputs, out, size, weightAt, biasAt } = layer;
  const binds = gpu.device.limits.maxStorageBuffersPerShaderStage;
  if (inputs % 4 !== 0 || binds < BINDINGS || keepsZ(act) || forwardForm(layer, tiles) !== 'fine') return null;
  const dims = { size, weightAt, biasAt: Math.max(0, biasAt), hasBias: biasAt < 0 ? 0 : 1 };
  const wholeDims = first && binds >= WHOLE_BINDINGS ? wholeOf(layer, first, tiles) : null;
  if (first && wholeDims) {
    return {
      id: 'coefficients.whole',
      link: wholeWith(first.g.words, inputs, out, act, dX !== null),
      buffers: { theta, bits: first.bits, ...(dX && { X, dX }) },
      dims: { ...dims, ...wholeDims },
      seats: WHOLE_ROWS,
    };
  }
  if (inputs * out + 2 * ROWS * out > MOST) return null;
  return {
    id: 'coefficients.head',
    link: headWith(inputs, out, act, dX !== null),
    buffers: { X, theta, ...(dX && { dX }) },
    dims,
    seats: ROWS,
  };
}

/** What the dispatch of a whole network is told of its first layer; null where it does not fit. */
function wholeOf(layer: Layer, { layer: first, g }: First, tiles: Tiles): Readonly<Record<string, number>> | null {
  const { inputs, out, size, weightAt, biasAt } = layer;
  const isEven = [size, weightAt, Math.max(0, biasAt)].every((x) => x % 4 === 0);
  const floats = inputs * out + WHOLE_ROWS * (inputs + 2 * out + g.words);
  if (!isEven || floats > MOST || bitForwardForm(first, tiles) !== 'fine') return null;
  return { firstAt: first.weightAt, firstBiasAt: Math.max(0, first.biasAt), obsWords: g.innerStride };
}
