import type { Gpu } from './device.ts';
import type { Buffer } from './network.ts';
import { actWith, forwardForm, keepsZ, type Act, type Layer, type Tiles } from './products.ts';
import head from './shaders/objective/coefficients/head.wgsl?raw';
import headBack from './shaders/objective/coefficients/headBack.wgsl?raw';
import noBack from './shaders/objective/coefficients/noBack.wgsl?raw';

/** The last layer of a network in one dispatch with the objective: what coefficients are linked and bound to for it. */
export type Head = {
  readonly link: readonly string[];
  readonly buffers: Readonly<Record<string, Buffer>>;
  readonly dims: Readonly<Record<'size' | 'weightAt' | 'biasAt' | 'hasBias', number>>;
};

/** Numbers that fit the memory of a workgroup on every device, and the rows that it has. */
const MOST = 4096;
const ROWS = 64;
/** Storage buffers that the dispatch binds; WebGPU promises eight. */
const BINDINGS = 9;

/** WGSL of a layer with so many inputs and outputs, behind an activation; the way back where it `learns`. */
export const headWith = (inputs: number, out: number, act: Act, learns: boolean): readonly string[] => [
  `const INPUTS = ${inputs}u;\nconst OUTPUTS = ${out}u;`,
  head,
  ...(learns ? [actWith(act), headBack] : [noBack]),
];

/**
 * A last layer over a list of rows, where it is one of fine tiles and fits a workgroup; null where it is a dispatch of
 * its own. X: what it reads, made by the activation; dX: where ∂L by what that was made from goes, null where no step
 * follows.
 */
export function headOf(
  { device }: Gpu,
  layer: Layer,
  { tiles, activation: act }: { readonly tiles: Tiles; readonly activation: Act },
  { X, theta, dX }: { readonly X: Buffer; readonly theta: Buffer; readonly dX: Buffer | null },
): Head | null {
  const { inputs, out, size, weightAt, biasAt } = layer;
  const fits = inputs % 4 === 0 && inputs * out + 2 * ROWS * out <= MOST;
  const binds = device.limits.maxStorageBuffersPerShaderStage >= BINDINGS;
  if (!fits || !binds || keepsZ(act) || forwardForm(layer, tiles) !== 'fine') return null;
  return {
    link: headWith(inputs, out, act, dX !== null),
    buffers: { X, theta, ...(dX && { dX }) },
    dims: { size, weightAt, biasAt: Math.max(0, biasAt), hasBias: biasAt < 0 ? 0 : 1 },
  };
}
