import { slicesOf } from '../../core/slices.ts';
import type { Gpu } from '../../gpu/device.ts';
import { addNorm, squaresOf } from '../../gpu/norm.ts';
import { keepsZ } from '../../gpu/products.ts';
import { CommandList } from '../../gpu/recorder.ts';
import { optimizeWith } from '../../gpu/shaders/kernels.ts';
import { tune } from '../../gpu/tune.ts';
import { addGradients, addLayers } from '../../networks/dense/denseList.ts';
import { layoutOf, type Activation, type DenseLayout } from '../../networks/dense/shape.ts';

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

/** The network of a step: `rows` inputs of widths[0] numbers each, and the width of every layer after them. */
export type DenseStepShape = {
  readonly rows: number;
  readonly widths: readonly number[];
  readonly activation: Activation;
};

/**
 * Records forward pass, loss, gradients, norm and optimizer of a dense network with bias over float inputs. `addLoss` adds
 * the dispatches that turn out [rows, widths.at(-1)] into dOut, the gradient of the loss with respect to it.
 */
export async function recordDenseStep(
  gpu: Gpu,
  { rows, widths, activation }: DenseStepShape,
  rule: Rule,
  addLoss: (list: CommandList, out: GPUBuffer, dOut: GPUBuffer) => Promise<void>,
): Promise<DenseStep> {
  const [features, hidden, actions] = [widths[0]!, widths.slice(1, -1), widths.at(-1)!];
  const layout = layoutOf({ features, hidden, activation, bias: true, actions, critic: false });
  const { size } = layout;
  const owned: GPUBuffer[] = [];
  const make = (floats: number): GPUBuffer => {
    owned.push(gpu.buffer('step', floats, STORAGE));
    return owned.at(-1)!;
  };
  const net = { S: 1, rows, maxRows: rows, layout, activation, tiles: await tune(gpu) };
  const [theta, m, v, gradient] = [make(size), make(size), make(size), make(size)];
  const partials = make(slicesOf(rows, size) * size);
  const [X, out, dOut] = [make(rows * features), make(rows * actions), make(rows * actions)];
  const layers = (): GPUBuffer[] => hidden.map((width) => make(rows * width));
  const kept = { H: layers(), dH: layers(), Z: keepsZ(activation) ? layers() : [] };
  const [norms, flags, rates, squares] = [make(2), make(1), make(4), make(squaresOf(size))];
  const list = new CommandList(gpu, 'step', owned);
  const chain = { net, inputs: { X }, theta, hidden: kept };
  await addLayers(list, chain, out, true);
  await addLoss(list, out, dOut);
  await addGradients(list, chain, dOut, { partials, gradient });
  await addRule(list, size, rule, { gradient, squares, norms, flags, rates, theta, m, v });
  const free = (): void => {
    for (const buffer of owned) gpu.free(buffer);
  };
  return { list, layout, X, theta, m, v, gradient, rates, free };
}

/** The buffers of one replica that an optimizer reads and writes: as in `DenseStep`, and what its norm leaves. */
export type RuleBuffers = Pick<DenseStep, 'gradient' | 'rates' | 'theta' | 'm' | 'v'> & {
  readonly squares: GPUBuffer;
  readonly norms: GPUBuffer;
  readonly flags: GPUBuffer;
};

/** Adds norm and optimizer of one replica with `size` parameters, without a limit on the norm. */
export async function addRule(list: CommandList, size: number, rule: Rule, buffers: RuleBuffers): Promise<void> {
  const { gradient, squares, norms, flags, rates, theta, m, v } = buffers;
  await addNorm(list, 1, size, { gradient, squares, norms, flags });
  const [p0, p1, p2, p3] = rule.uniforms;
  await list.add(
    optimizeWith(rule.wgsl),
    { gradient, norms, rates, theta, m, v, flags },
    { size, k: 0, perReplica: 0, clipNorm: 0, p0, p1, p2, p3 },
    [Math.ceil(size / 256), 1, 1],
  );
}
