import type { Gpu } from '../../src/gpu/device.ts';
import type { CommandList } from '../../src/gpu/recorder.ts';
import { adam } from '../../src/slots/optimizer/adam.ts';
import { ADAM, CHECK_STEPS } from '../problem.ts';
import type { Contender } from '../types.ts';
import { readFloats, settle } from './dense.ts';

const { learningRate, beta1, beta2, epsilon } = ADAM;
export const ADAM_RULE = { wgsl: adam.wgsl, uniforms: adam.uniforms({ beta1, beta2, epsilon, weightDecay: 0 }) };

/** A recorded step with Adam, whose corrections are written before each: theta [size], rates [4]. */
type Recorded = {
  readonly list: CommandList;
  readonly theta: GPUBuffer;
  readonly rates: GPUBuffer;
  readonly size: number;
};

/** Ours, from its recorded step; `read` makes of the parameters what everyone's are compared as. */
export function adamContender(
  gpu: Gpu,
  { list, theta, rates, size }: Recorded,
  read: (theta: Float32Array) => Float32Array,
  dispose: () => void,
): Contender {
  const { queue } = gpu.device;
  let steps = 0;
  const step = (): void => {
    steps++;
    queue.writeBuffer(rates, 0, Float32Array.of(learningRate, 1 - beta1 ** steps, 1 - beta2 ** steps, 0));
    const encoder = gpu.device.createCommandEncoder({ label: 'step' });
    list.encode(encoder);
    queue.submit([encoder.finish()]);
  };
  return {
    name: 'ours',
    async run(times) {
      for (let k = 0; k < times; k++) step();
      await settle(gpu, theta);
    },
    async check() {
      for (let k = 0; k < CHECK_STEPS; k++) step();
      return read(await readFloats(gpu, theta, size));
    },
    dispose,
  };
}
