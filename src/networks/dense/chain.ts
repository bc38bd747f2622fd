import type { Sized } from '../types.ts';
import { DenseNetwork } from './denseNetwork.ts';
import { denseFloats } from './floats.ts';
import { halfLayers, initialWeights, isCopied, layoutOf, type DenseLayout, type NetworkShape } from './shape.ts';

type Chain = Sized<NetworkShape, DenseLayout>;

const defineChain = <const C>(parts: C): C => parts;

/** What every chain of dense layers says in its record. */
export const chain = defineChain({
  isChain: true,
  isListed: true,
  layout: layoutOf,
  start: (
    { shape }: Chain,
    from: { readonly seed: number; readonly activeInputs: number },
    theta: Float32Array,
    at: number,
  ): void => initialWeights(shape, from.seed, from.activeInputs, theta, at),
  make: ({ shape, layout }: Chain, own: number): DenseNetwork => new DenseNetwork(shape, layout, own),
  cpuFloats: ({ shape, layout }: Chain) => denseFloats(shape, layout),
  /** hidden layers there and back; copies in half floats of those that are read so, and of the weights */
  gpuFloats({ shape, layout }: Chain) {
    const sum = (widths: readonly number[]): number => widths.reduce((total, width) => total + width, 0);
    const { hidden, activation } = shape;
    const kept = (activation === 'gelu' ? 3 : 2) * sum(hidden);
    if (halfLayers(shape).length === 0) return { perStep: kept, once: 0 };
    return { perStep: kept + sum(hidden.filter((_, k) => isCopied(shape, k))) / 2, once: layout.size / 2 };
  },
  gpu: async () => (await import('./denseOnGpu.ts')).chainOnGpu,
});
