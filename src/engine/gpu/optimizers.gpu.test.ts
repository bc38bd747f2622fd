import { expect, test } from 'vitest';
import { numbers, UNTOUCHED } from '../../gpu/conformance.ts';
import { addNorm, squaresOf } from '../../gpu/norm.ts';
import { CommandList, readBack, whole } from '../../gpu/recorder.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { metricIndex, type MetricId } from '../../slots/metrics/metrics.ts';
import { adam } from '../../slots/optimizer/adam.ts';
import { clipByNorm } from '../../core/math/gradientNorm.ts';
import { normalizedSgd } from '../../slots/optimizer/normalizedSgd.ts';
import { rmsProp } from '../../slots/optimizer/rmsProp.ts';
import { sgd } from '../../slots/optimizer/sgd.ts';
import type { Optimizer } from '../../slots/types.ts';
import type { Plan } from '../plan.ts';
import { train } from '../sampleRun.ts';
import type { RunBuffers } from './buffers.ts';
import { gpuBackendOn } from './gpuBackend.ts';
import { addStep } from './optimizerStep.ts';
import { openSmall, trainAlike } from '../../check/sideBySide.ts';

const gpu = await testDevice();
const S = 3;
const decay = { momentum: 0.5, weightDecay: 0.1 };
const settings: readonly [Optimizer, Record<string, number>][] = [
  [sgd as Optimizer, decay],
  [rmsProp as Optimizer, { ...decay, memory: 0.75, epsilon: 1e-8 }],
  [normalizedSgd as Optimizer, decay],
  // long memories: the share of what is new is small, and is held as exactly as a large one
  [rmsProp as Optimizer, { momentum: 0, weightDecay: 0.1, memory: 0.999, epsilon: 1e-8 }],
  [adam as Optimizer, { beta1: 0.9999, beta2: 0.99999, epsilon: 1e-8, weightDecay: 0.1 }],
];

const steps = settings.flatMap(([optimizer, params]) =>
  // one invocation, one workgroup and one more, and a length whose norm is taken in two stages
  [4, 256, 260, 65_540].map((size) => ({ name: optimizer.id, size, optimizer, params })),
);

test.each(steps)(
  'three steps of $name on $size weights agree with the definition',
  async ({ size, optimizer, params }) => {
    const { device } = gpu;
    const owned: GPUBuffer[] = [];
    const make = (words: number, data?: Float32Array): GPUBuffer => {
      const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
      const buffer = gpu.buffer('step', words, usage);
      device.queue.writeBuffer(buffer, 0, (data ?? new Float32Array(words)) as Float32Array<ArrayBuffer>);
      owned.push(buffer);
      return buffer;
    };
    const all = S * size;
    const theta = numbers(1, all);
    const [m, v] = [new Float32Array(all), new Float32Array(all)];
    // the second replica has nothing to learn in the second step, and the third is below the limit of the norm
    const clipNorm = 0.5;
    const gradients = [0, 1, 2].map((n) =>
      numbers(10 + n, all).map((g, k) => {
        const s = Math.floor(k / size);
        return s === 1 && n === 1 ? 0 : s === 2 ? (0.1 * g) / Math.sqrt(size) : g;
      }),
    );
    const net = { gradient: make(all), norms: make(2 * S), theta: make(all, theta), m: make(all), v: make(all) };
    const rows = [0.1, 0.05, 0.2].map((rate, k) => {
      const [scale, c1, c2] = optimizer.rates(k + 1, params as never);
      return [scale * rate, c1, c2, 0];
    });
    const rates = make(4 * 3, Float32Array.from(rows.flat()));
    const untouched = (words: number): GPUBuffer => make(words, new Float32Array(words).fill(UNTOUCHED));
    const flags = make(S);
    const squares = untouched(Math.max(1, S * squaresOf(size)));
    const b = { flags, squares, unit: { norms: untouched(2 * S), rates: untouched(4 * S) } } as unknown as RunBuffers;
    const plan = { S, layout: { size }, optimizer, optimizerParams: params, clipNorm } as unknown as Plan;
    for (let k = 0; k < 3; k++) {
      const list = new CommandList(gpu, 'steps', owned);
      await addNorm(list, S, size, { gradient: net.gradient, squares, norms: net.norms, flags });
      await addStep(list, plan, b, { ...net, rates }, { k, perReplica: 0 });
      device.queue.writeBuffer(net.gradient, 0, gradients[k] as Float32Array<ArrayBuffer>);
      const encoder = device.createCommandEncoder();
      list.encode(encoder);
      device.queue.submit([encoder.finish()]);
      for (let s = 0; s < S; s++) {
        const of = (x: Float32Array): Float32Array => x.subarray(s * size, (s + 1) * size);
        const gradient = gradients[k]!.slice(s * size, (s + 1) * size);
        clipByNorm(gradient, clipNorm);
        optimizer.step(
          { theta: of(theta), gradient, m: of(m), v: of(v) },
          k + 1,
          [0.1, 0.05, 0.2][k]!,
          params as never,
        );
      }
    }
    for (const [name, want] of Object.entries({ theta, m, v })) {
      const got = new Float32Array(await readBack(gpu, whole(net[name as 'theta'])));
      // three steps of about ten roundings; a norm is a sum of up to 65,540 squares in a tree
      want.forEach((x, k) => {
        const allowed = 2e-6 + 4e-6 * Math.abs(x);
        if (!(Math.abs(got[k]! - x) <= allowed)) throw new Error(`${name}[${k}] is ${got[k]}, want ${x}`);
      });
    }
    expect([...new Uint32Array(await readBack(gpu, whole(flags)))].slice(0, S)).toEqual([0, 0, 0]);
    owned.forEach((buffer) => gpu.free(buffer));
  },
);

// every step is paid, so that the policy moves from the first update on
const paid = { 'reward.grid.step': -7, 'objective.minibatches': 2, 'policy.mlp.hidden': [5, 7] };
const normalized = { ...paid, 'optimizer.method': 'normalizedSgd', 'optimizer.learningRate': 0.2 };
const scaled = { ...paid, 'optimizer.method': 'rmsProp', 'optimizer.rmsProp.momentum': 0.5 };
const stale = { 'objective.method': 'vcpo', 'objective.vcpo.credit': 'advantage', 'rollout.staleness': 2 };
const COMPARED: readonly MetricId[] = [
  ...(['success', 'entropy', 'ess', 'approxKL', 'gradNorm', 'policyLoss', 'updateNorm', 'stepKept'] as const),
];

test.each<readonly [string, Record<string, unknown>]>([
  ['RMSProp', scaled],
  ['RMSProp and the step scale of VCPO', { ...scaled, ...stale }],
  ['normalized SGD with momentum', { ...normalized, 'optimizer.normalizedSgd.momentum': 0.5 }],
  ['normalized SGD and the step scale of VCPO', { ...normalized, ...stale }],
  [
    'normalized SGD and the step preview',
    { ...normalized, 'control.stepPreview.on': true, 'optimizer.learningRate': 4 },
  ],
])('on the GPU, %s trains as on the CPU', async (_, changes) => {
  const onGpu = await openSmall(changes, gpu);
  const onCpu = await openSmall(changes);
  expect(onGpu.backend.kind).toBe('webgpu');
  await trainAlike(onGpu, onCpu, 3, COMPARED);
  if ('control.stepPreview.on' in changes) expect(onGpu.series.at(0, 0, metricIndex.stepKept)).toBeLessThan(0.9);
  onGpu.dispose();
});

test.each([
  ['RMSProp', scaled],
  ['normalized SGD', { ...normalized, 'optimizer.normalizedSgd.momentum': 0.5 }],
])('on the GPU, a pause of %s changes no bit, and a replica alone is the replica among others', async (_, changes) => {
  const among = await openSmall(changes, gpu);
  await train(among, 4);
  const alone = await openSmall({ ...changes, 'run.seeds': 1, 'run.seed': among.plan.seeds[1]! }, gpu);
  await train(alone, 2);
  await alone.restore(await alone.checkpoint(), gpuBackendOn(gpu));
  await train(alone, 2);
  const { size } = among.plan.layout;
  const [a, b] = [await alone.backend.save(), await among.backend.save()];
  for (const key of ['theta', 'm', 'v'] as const) expect(a.tensors[key], key).toEqual(b.tensors[key].slice(size));
  among.dispose();
  alone.dispose();
});
