import type { Gpu } from './device.ts';
import { endOf, forwardProduct, rowsOf, type Act, type Call, type Layer } from './products.ts';
import halves from './shaders/network/denseForward/halves.wgsl?raw';
import packedHalves from './shaders/network/denseForward/packedHalves.wgsl?raw';
import toHalves from './shaders/network/denseForward/toHalves.wgsl?raw';

/**
 * Forward products whose weights and inputs are stored as half floats: half the bytes to read, sums and results in f32.
 * Off unless asked for, and only for layers of the wide form. The bytes are the same in both ways of storing.
 */
export type Halves = 'f16' | 'packed';

/** Only devices with half floats of their own are faster for it. */
export const halvesOf = ({ device, plainBecause }: Gpu): Halves | null =>
  !plainBecause && device.features.has('shader-f16') ? 'f16' : null;

const STORED = { f16: halves, packed: packedHalves } as const;

/** As forwardProduct, with X and theta in halves. One more binding: Yh, Y in halves for the next layer. */
export function halfForward(layer: Layer, act: Act, keeps: boolean, stored: Halves): Call {
  const { kernel, ...call } = forwardProduct(layer, 'wide', act, keeps);
  return {
    ...call,
    kernel: {
      id: `denseForward.${stored}`,
      wgsl: kernel.wgsl,
      link: [STORED[stored], rowsOf(layer), ...endOf(act, keeps)],
    },
  };
}

/** Yh = x in halves; `count` is a multiple of 4. Bindings x, Yh. */
export const toHalf = (count: number, stored: Halves): Call => ({
  kernel: { id: `toHalves.${stored}`, wgsl: toHalves, link: [STORED[stored]] },
  dims: { count },
  groups: [Math.ceil(count / 256), 1, 1],
});
