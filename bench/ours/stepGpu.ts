import type { Gpu } from '../../src/gpu/device.ts';
import { CommandList, type Slice } from '../../src/gpu/recorder.ts';
import { coefficientsWith, kernels, optimizeWith } from '../../src/gpu/shaders/kernels.ts';
import { reinforce } from '../../src/methods/objective/reinforce.ts';
import { adam } from '../../src/methods/optimizer/adam.ts';
import { ADAM, CHECK_STEPS, type Step } from '../problem.ts';
import type { Contender } from '../types.ts';
import {
  addGradient,
  addInputGradient,
  addProduct,
  readFloats,
  recorded,
  settle,
  storage,
  type Layer,
} from './dense.ts';

const RELU = 1;

/** Parameters without the padding of the layout. */
export const withoutPadding = ({ layout }: Step, theta: Float32Array): Float32Array =>
  Float32Array.from(
    layout.tensors.flatMap(({ offset, rows, cols }) => Array.from(theta.subarray(offset, offset + rows * cols))),
  );

/**
 * The training step with the kernels of the lab: the policy gradient of `reinforce` with all credit 1 is the mean
 * cross-entropy, so that the labels are the actions that were taken.
 */
export async function oursStepGpu(gpu: Gpu, problem: Step): Promise<Contender> {
  const { rows, inputs, hidden, classes, layout } = problem;
  const owned: GPUBuffer[] = [];
  const make = (data: Float32Array | Uint32Array | number): GPUBuffer => storage(gpu, owned, data);
  const { size } = layout;
  const [theta, m, v, gradient] = [make(problem.theta), make(size), make(size), make(size)];
  const [X, Z, H, dH] = [make(problem.X), make(rows * hidden), make(rows * hidden), make(rows * hidden)];
  const [out, dOut, stats] = [make(rows * classes), make(rows * classes), make(rows * 6)];
  const legal = new Uint32Array(rows).fill((1 << classes) - 1);
  const choice = make(Uint32Array.from([...legal, ...problem.labels]));
  const sampled = make(3 * rows);
  const credit = make(new Float32Array(2 * rows).fill(1));
  const plan = make(Float32Array.from({ length: 2 * rows }, (_, k) => (k % 2 === 0 ? 1 / rows : 1)));
  const live = gpu.buffer('bench', 4, 0x40 | 0x08);
  owned.push(live);
  const [norms, flags, rates] = [make(2), make(1), make(4)];
  const at = (k: number): number => layout.tensors[k]!.offset;
  const first: Layer = { rows, inputs, out: hidden, size, weightAt: at(0), biasAt: at(1) };
  const second: Layer = { rows, inputs: hidden, out: classes, size, weightAt: at(2), biasAt: at(3) };
  const list = new CommandList(gpu, 'step', owned);
  const wide = rows * hidden;
  const activation = { count: wide, stride: wide, kind: RELU };
  const groups = (count: number): readonly [number, number, number] => [Math.ceil(count / 64), 1, 1];
  const part = (buffer: GPUBuffer): Slice => ({ buffer, offset: 0, size: buffer.size });
  await recorded(gpu, async () => {
    await addProduct(list, first, X, theta, Z);
    await list.add(kernels.activate, { Z, H }, activation, groups(wide));
    await addProduct(list, second, H, theta, out);
    const dims = {
      ...{ S: 1, B: rows, T: 1, actions: classes, n: classes, section: rows, floatSection: rows, inverse: 1 },
      ...{ valueCoef: 0, valueClip: 0, p0: 0, p1: 0, p2: 0, p3: 0 },
    };
    const buffers = { out, ref_: out, choice, sampled, credit, plan, dOut, stats, live };
    await list.add(coefficientsWith(reinforce.wgsl), buffers, dims, groups(rows));
    await addGradient(list, second, H, dOut, gradient);
    await addInputGradient(list, second, dOut, theta, dH);
    await list.add(kernels.activateBackward, { Z, H: dH }, activation, groups(wide));
    await addGradient(list, first, X, dH, gradient);
    await list.add(kernels.gradNorm, { gradient, norms: part(norms), flags }, { size }, [1, 1, 1]);
    const { beta1, beta2, epsilon } = ADAM;
    await list.add(
      optimizeWith(adam.wgsl),
      { gradient, norms: part(norms), rates, theta, m, v, flags },
      { size, k: 0, perReplica: 0, clipNorm: 0, p0: beta1, p1: beta2, p2: epsilon, p3: 0 },
      groups(size),
    );
  });
  let steps = 0;
  const step = (): void => {
    steps++;
    const rate = Float32Array.of(ADAM.learningRate, 1 - ADAM.beta1 ** steps, 1 - ADAM.beta2 ** steps, 0);
    gpu.device.queue.writeBuffer(rates, 0, rate);
    const encoder = gpu.device.createCommandEncoder({ label: 'step' });
    list.encode(encoder);
    gpu.device.queue.submit([encoder.finish()]);
  };
  return {
    name: 'ours',
    async run(times) {
      for (let k = 0; k < times; k++) step();
      await settle(gpu, theta);
    },
    async check() {
      for (let k = 0; k < CHECK_STEPS; k++) step();
      return withoutPadding(problem, await readFloats(gpu, theta, size));
    },
    dispose() {
      for (const buffer of owned) gpu.free(buffer);
    },
  };
}
