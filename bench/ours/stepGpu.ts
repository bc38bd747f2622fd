import type { Gpu } from '../../src/gpu/device.ts';
import { adam } from '../../src/slots/optimizer/adam.ts';
import { recordDenseStep } from '../../src/engine/gpu/denseStep.ts';
import { ADAM, CHECK_STEPS, withoutPadding, type Step } from '../problem.ts';
import type { Contender } from '../types.ts';
import { readFloats, recorded, settle } from './dense.ts';
import { lossOf } from './loss.ts';

/** The training step as the lab records it. */
export async function oursStepGpu(gpu: Gpu, problem: Step): Promise<Contender> {
  const { rows, inputs, hidden, classes } = problem;
  const owned: GPUBuffer[] = [];
  const { learningRate, beta1, beta2, epsilon } = ADAM;
  const rule = { wgsl: adam.wgsl, uniforms: adam.uniforms({ beta1, beta2, epsilon, weightDecay: 0 }) };
  const made = await recorded(gpu, () =>
    recordDenseStep(
      gpu,
      { rows, widths: [inputs, hidden, classes], activation: 'relu' },
      rule,
      lossOf(gpu, owned, classes, problem.labels),
    ),
  );
  const { list, X, theta, rates, layout, free } = made;
  const { queue } = gpu.device;
  queue.writeBuffer(X, 0, problem.X as Float32Array<ArrayBuffer>);
  queue.writeBuffer(theta, 0, problem.theta as Float32Array<ArrayBuffer>);
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
      return withoutPadding(problem, await readFloats(gpu, theta, layout.size));
    },
    dispose() {
      free();
      for (const buffer of owned) gpu.free(buffer);
    },
  };
}
