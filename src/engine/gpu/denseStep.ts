import { slicesOf } from '../../core/slices.ts';
import { bitForm, bitForward, bitGradient, type BitRows } from '../../gpu/bitProducts.ts';
import type { Gpu } from '../../gpu/device.ts';
import { halfForward } from '../../gpu/halves.ts';
import { addNorm, squaresOf } from '../../gpu/norm.ts';
import {
  backwardForm,
  forwardForm,
  forwardProduct,
  gradientForm,
  inputGradient,
  keepsZ,
  weightGradient,
  type Layer,
} from '../../gpu/products.ts';
import { CommandList, type Slice } from '../../gpu/recorder.ts';
import { kernels, optimizeWith } from '../../gpu/shaders/kernels.ts';
import { tune } from '../../gpu/tune.ts';
import { layoutOf, type Activation, type DenseLayout } from '../../networks/dense/shape.ts';
import { addHalves, type HalfStore } from './halfStore.ts';

type Buffer = GPUBuffer | Slice;

/** A chain of dense layers of all replicas over some rows. */
export type DenseNet = {
  readonly S: number;
  readonly rows: number;
  /** rows between replicas */
  readonly maxRows: number;
  readonly layout: DenseLayout;
  readonly activation: Activation;
  /** see tune.ts */
  readonly tiled: boolean;
  /** where some layers read half floats */
  readonly halves?: HalfStore;
};

/** What the first layer reads: numbers [S, maxRows, in], or observation bits. */
export type Inputs = { readonly X: Buffer } | { readonly bits: Buffer; readonly g: BitRows };

/** Hidden layers, [S, maxRows, width] each. Z is there for gelu only. */
export type Hidden = { readonly H: readonly Buffer[]; readonly Z: readonly Buffer[] };

export const layersOf = ({ layout }: DenseNet): number => layout.widths.length - 1;

/** Layer k of the chain as the products want it. */
export function layerOf({ S, rows, maxRows, layout }: DenseNet, k: number): Layer {
  const tensor = (kind: 'weight' | 'bias'): number =>
    layout.tensors.find((t) => t.layer === k && t.kind === kind)?.offset ?? -1;
  const [inputs, out] = [layout.widths[k]!, layout.widths[k + 1]!];
  return { S, rows, maxRows, inputs, out, size: layout.size, weightAt: tensor('weight'), biasAt: tensor('bias') };
}

/** Forward pass into `out`; the hidden layers stay, and with `keeps` all that the backward pass needs of them. */
export async function addLayers(
  list: CommandList,
  net: DenseNet,
  inputs: Inputs,
  theta: Buffer,
  { H, Z }: Hidden,
  out: Buffer,
  keeps: boolean,
): Promise<void> {
  const last = layersOf(net) - 1;
  const { halves } = net;
  if (halves) await addHalves(list, halves, theta, net.S * net.layout.size, halves.theta);
  for (let k = 0; k <= last; k++) {
    const layer = layerOf(net, k);
    const act = k === last ? 'none' : net.activation;
    const withZ = keeps && keepsZ(act);
    const ends = { theta, Y: k === last ? out : H[k]!, ...(withZ ? { Z: Z[k]! } : {}) };
    if (k === 0 && 'bits' in inputs) {
      const { kernel, dims, groups } = bitForward(layer, inputs.g, bitForm(layer), act, withZ);
      await list.add(kernel, { bits: inputs.bits, ...ends }, dims, groups);
    } else if (halves?.layers.includes(k)) {
      const [X, Yh] = [halves.H[k - 1]!, halves.H[k]!];
      if (!halves.layers.includes(k - 1))
        await addHalves(list, halves, H[k - 1]!, net.S * net.maxRows * layer.inputs, X);
      const { kernel, dims, groups } = halfForward(layer, act, withZ, halves.stored);
      await list.add(kernel, { ...ends, X, theta: halves.theta, Yh }, dims, groups);
    } else {
      const X = k === 0 && 'X' in inputs ? inputs.X : H[k - 1]!;
      const { kernel, dims, groups } = forwardProduct(layer, forwardForm(layer, net.tiled), act, withZ);
      await list.add(kernel, { X, ...ends }, dims, groups);
    }
  }
}

/** Slices of a gradient, and the gradient: partials [S, slicesOf(rows, size), size], gradient [S, size]. */
export type Sums = { readonly partials: Buffer; readonly gradient: Buffer };

/** The way back through the layers, last first, to layer `first`: `visit` gets each with ∂L by its outputs; `dH` is scratch. */
export async function eachLayerBack(
  list: CommandList,
  net: DenseNet,
  theta: Buffer,
  { H, Z, dH }: Hidden & { readonly dH: readonly Buffer[] },
  dOut: Buffer,
  visit: (k: number, dY: Buffer) => Promise<void>,
  first = 0,
): Promise<void> {
  const last = layersOf(net) - 1;
  for (let k = last; k >= first; k--) {
    const layer = layerOf(net, k);
    const dY = k === last ? dOut : dH[k]!;
    await visit(k, dY);
    if (k === first) break;
    const A = keepsZ(net.activation) ? Z[k - 1]! : H[k - 1]!;
    const { kernel, dims, groups } = inputGradient(layer, backwardForm(layer, net.tiled), net.activation);
    await list.add(kernel, { dY, theta, dX: dH[k - 1]!, A }, dims, groups);
  }
}

/** ∂L/∂θ from dOut and what the last forward pass with `keeps` left; `dH` is scratch. */
export async function addGradients(
  list: CommandList,
  net: DenseNet,
  inputs: Inputs,
  theta: Buffer,
  hidden: Hidden & { readonly dH: readonly Buffer[] },
  dOut: Buffer,
  { partials, gradient }: Sums,
): Promise<void> {
  const { size } = net.layout;
  const slices = slicesOf(net.rows, size);
  await eachLayerBack(list, net, theta, hidden, dOut, async (k, dY) => {
    const layer = layerOf(net, k);
    if (k === 0 && 'bits' in inputs) {
      const { kernel, dims, groups } = bitGradient(layer, inputs.g, bitForm(layer), slices);
      await list.add(kernel, { bits: inputs.bits, dY, partials }, dims, groups);
    } else {
      const X = k === 0 && 'X' in inputs ? inputs.X : hidden.H[k - 1]!;
      const { kernel, dims, groups } = weightGradient(layer, gradientForm(layer, net.tiled), slices);
      await list.add(kernel, { X, dY, partials }, dims, groups);
    }
  });
  await list.add(kernels.sliceSum, { partials, gradient }, { size, slices }, [Math.ceil(size / 256), 1, net.S]);
}

/** An optimizer as its registry has it, with its settings as numbers. */
export type Rule = { readonly wgsl: string; readonly uniforms: readonly [number, number, number, number] };

/** A recorded training step on buffers of its own. */
export type DenseStep = {
  readonly list: CommandList;
  readonly layout: DenseLayout;
  /** [rows, widths[0]]; write before the first step */
  readonly X: GPUBuffer;
  /** [size] parameters and moments */
  readonly theta: GPUBuffer;
  readonly m: GPUBuffer;
  readonly v: GPUBuffer;
  readonly gradient: GPUBuffer;
  /** [4]: learning rate, 1 − β₁ⁿ, 1 − β₂ⁿ, unused; write before every step */
  readonly rates: GPUBuffer;
  readonly free: () => void;
};

const STORAGE = 0x80 | 0x04 | 0x08;

/**
 * Records forward pass, loss, gradients, norm and optimizer of a dense network with bias over float inputs. `addLoss` adds
 * the dispatches that turn out [rows, widths.at(-1)] into dOut, the gradient of the loss with respect to it.
 */
export async function recordDenseStep(
  gpu: Gpu,
  rows: number,
  widths: readonly number[],
  activation: Activation,
  rule: Rule,
  clipNorm: number,
  addLoss: (list: CommandList, out: GPUBuffer, dOut: GPUBuffer) => Promise<void>,
): Promise<DenseStep> {
  const [features, hidden, actions] = [widths[0]!, widths.slice(1, -1), widths.at(-1)!];
  const layout = layoutOf({ kind: 'dense', features, hidden, activation, bias: true, actions, critic: false });
  const { size } = layout;
  const owned: GPUBuffer[] = [];
  const make = (floats: number): GPUBuffer => {
    owned.push(gpu.buffer('step', floats, STORAGE));
    return owned.at(-1)!;
  };
  const net = { S: 1, rows, maxRows: rows, layout, activation, tiled: (await tune(gpu)).tiled };
  const [theta, m, v, gradient] = [make(size), make(size), make(size), make(size)];
  const partials = make(slicesOf(rows, size) * size);
  const [X, out, dOut] = [make(rows * features), make(rows * actions), make(rows * actions)];
  const layers = (): GPUBuffer[] => hidden.map((width) => make(rows * width));
  const kept = { H: layers(), dH: layers(), Z: keepsZ(activation) ? layers() : [] };
  const [norms, flags, rates, squares] = [make(2), make(1), make(4), make(squaresOf(size))];
  const list = new CommandList(gpu, 'step', owned);
  await addLayers(list, net, { X }, theta, kept, out, true);
  await addLoss(list, out, dOut);
  await addGradients(list, net, { X }, theta, kept, dOut, { partials, gradient });
  await addNorm(list, 1, size, { gradient, squares, norms, flags });
  const [p0, p1, p2, p3] = rule.uniforms;
  await list.add(
    optimizeWith(rule.wgsl),
    { gradient, norms, rates, theta, m, v, flags },
    { size, k: 0, perReplica: 0, clipNorm, p0, p1, p2, p3 },
    [Math.ceil(size / 256), 1, 1],
  );
  const free = (): void => {
    for (const buffer of owned) gpu.free(buffer);
  };
  return { list, layout, X, theta, m, v, gradient, rates, free };
}
