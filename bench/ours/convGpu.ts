import { slicesOf } from '../../src/core/slices.ts';
import { addRule } from '../../src/engine/gpu/denseStep.ts';
import type { Gpu } from '../../src/gpu/device.ts';
import { squaresOf } from '../../src/gpu/norm.ts';
import { CommandList } from '../../src/gpu/recorder.ts';
import { ConvOnGpu } from '../../src/networks/conv/convOnGpu.ts';
import { convWithoutPadding, type ConvStep } from '../convProblem.ts';
import type { Contender } from '../types.ts';
import { adamContender, ADAM_RULE } from './adamStep.ts';
import { recorded, storage } from './dense.ts';
import { lossOf } from './loss.ts';

/** The training step with the network's own recording: boards arrive as bits, as episodes of one step. */
export async function oursConvGpu(gpu: Gpu, problem: ConvStep): Promise<Contender> {
  const { rows, shape, layout, obs, obsWords, labels } = problem;
  const { size } = layout;
  const owned: GPUBuffer[] = [];
  const make = (data: Float32Array | Uint32Array | number): GPUBuffer => storage(gpu, owned, data);
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
    await addRule(list, size, ADAM_RULE, { gradient, squares, norms, flags, rates, theta, m, v });
  });
  return adamContender(
    gpu,
    { list, theta, rates, size },
    (values) => convWithoutPadding(problem, values),
    () => {
      for (const buffer of owned) gpu.free(buffer);
    },
  );
}
