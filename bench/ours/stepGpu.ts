import type { Gpu } from '../../src/gpu/device.ts';
import { NO_VALUE } from '../../src/gpu/critic.ts';
import { LIVE_WORDS } from '../../src/gpu/live.ts';
import { coefficientsWith } from '../../src/gpu/shaders/kernels.ts';
import { reinforce } from '../../src/slots/objective/reinforce.ts';
import { adam } from '../../src/slots/optimizer/adam.ts';
import { recordDenseStep } from '../../src/engine/gpu/denseStep.ts';
import { ADAM, CHECK_STEPS, withoutPadding, type Step } from '../problem.ts';
import type { Contender } from '../types.ts';
import { readFloats, recorded, settle, storage } from './dense.ts';

/**
 * The training step as the lab records it. Its loss is the policy gradient of `reinforce` with all credit 1, which is the
 * mean cross-entropy: labels are the actions that were taken.
 */
export async function oursStepGpu(gpu: Gpu, problem: Step): Promise<Contender> {
  const { rows, inputs, hidden, classes } = problem;
  const owned: GPUBuffer[] = [];
  const make = (data: Float32Array | Uint32Array | number): GPUBuffer => storage(gpu, owned, data);
  const legal = new Uint32Array(rows).fill((1 << classes) - 1);
  const choice = make(Uint32Array.from([...legal, ...problem.labels]));
  const [sampled, credit, stats] = [make(3 * rows), make(new Float32Array(2 * rows).fill(1)), make(rows * 6)];
  const plan = make(Float32Array.from({ length: 2 * rows }, (_, k) => (k % 2 === 0 ? 1 / rows : 1)));
  const live = gpu.buffer('bench', LIVE_WORDS, 0x40 | 0x08);
  owned.push(live);
  const { learningRate, beta1, beta2, epsilon } = ADAM;
  const rule = { wgsl: adam.wgsl, uniforms: adam.uniforms({ beta1, beta2, epsilon, weightDecay: 0 }) };
  const dims = {
    ...{
      S: 1,
      B: rows,
      T: 1,
      actions: classes,
      n: classes,
      section: rows,
      floatSection: rows,
      inverse: 1,
      marksAt: 0,
      creditAt: 0,
    },
    ...{ ...NO_VALUE, p0: 0, p1: 0, p2: 0, p3: 0 },
  };
  const made = await recorded(gpu, () =>
    recordDenseStep(
      gpu,
      { rows, widths: [inputs, hidden, classes], activation: 'relu' },
      rule,
      async (list, out, dOut) => {
        const buffers = { out, ref_: out, choice, sampled, credit, plan, dOut, stats, live };
        await list.add(coefficientsWith(reinforce.wgsl), buffers, dims, [Math.ceil(rows / 64), 1, 1]);
      },
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
