import { slicesOf } from '../../src/core/slices.ts';
import { addRule } from '../../src/engine/gpu/denseStep.ts';
import type { Gpu } from '../../src/gpu/device.ts';
import { squaresOf } from '../../src/gpu/norm.ts';
import { CommandList } from '../../src/gpu/recorder.ts';
import { ConvOnGpu } from '../../src/networks/conv/convOnGpu.ts';
import { adam } from '../../src/slots/optimizer/adam.ts';
import { convWithoutPadding, type ConvStep } from '../convProblem.ts';
import { ADAM, CHECK_STEPS } from '../problem.ts';
import type { Contender } from '../types.ts';
import { readFloats, recorded, settle, storage } from './dense.ts';
import { lossOf } from './loss.ts';

/** The training step with the network's own recording: boards arrive as bits, as episodes of one step. */
export async function oursConvGpu(gpu: Gpu, problem: ConvStep): Promise<Contender> {
  const { rows, shape, layout, obs, obsWords, labels } = problem;
  const { size } = layout;
  const owned: GPUBuffer[] = [];
  const make = (data: Float32Array | Uint32Array | number): GPUBuffer => storage(gpu, owned, data);
  const { learningRate, ...betas } = ADAM;
  const { beta1, beta2 } = betas;
  const rule = { wgsl: adam.wgsl, uniforms: adam.uniforms({ ...betas, weightDecay: 0 }) };
  const [theta, m, v, gradient] = [make(problem.theta), make(size), make(size), make(size)];
  const [out, dOut, rates] = [make(rows * shape.actions), make(rows * shape.actions), make(4)];
  const [norms, flags, squares] = [make(2), make(1), make(squaresOf(size))];
  const network = new ConvOnGpu(
    { shape, layout },
    {
      ...{ gpu, S: 1, B: rows, T: 1, obsWords, obs: make(obs), length: make(new Uint32Array(rows).fill(1)) },
      ...{ partials: make(slicesOf(rows, size) * size), gradient, make },
    },
  );
  const list = new CommandList(gpu, 'convolution step', owned);
  const addLoss = lossOf(gpu, owned, shape.actions, labels);
  await recorded(gpu, async () => {
    await network.addForward(list, theta, out, 'all');
    await addLoss(list, out, dOut);
    await network.addBackward(list, theta, dOut);
    await addRule(list, size, rule, { gradient, squares, norms, flags, rates, theta, m, v });
  });
  const { queue } = gpu.device;
  let steps = 0;
  const step = (): void => {
    steps++;
    queue.writeBuffer(rates, 0, Float32Array.of(learningRate, 1 - beta1 ** steps, 1 - beta2 ** steps, 0));
    const encoder = gpu.device.createCommandEncoder({ label: 'convolution step' });
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
      return convWithoutPadding(problem, await readFloats(gpu, theta, size));
    },
    dispose() {
      for (const buffer of owned) gpu.free(buffer);
    },
  };
}
