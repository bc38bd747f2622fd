import { prepareTask } from '../../config/level.ts';
import { configWith } from '../../config/schema.ts';
import { problemLine } from '../../config/problems.ts';
import type { Backend, MakeBackend } from '../../engine/backend.ts';
import { createRun, type Run } from '../../engine/run.ts';
import { numbers } from '../../gpu/conformance.ts';
import type { Gpu } from '../../gpu/device.ts';
import { forwardForm, forwardProduct, type Layer } from '../../gpu/products.ts';
import { CommandList, readBack } from '../../gpu/recorder.ts';
import { timeOfOne, type Stopwatch } from '../../gpu/timeOfOne.ts';
import { tune } from '../../gpu/tune.ts';
import { linear } from '../../networks/dense/linear.ts';
import { makeKernels } from '../../networks/kernels.ts';
import { Work } from '../../lab/profile.ts';

/** A layer of 256 to 256 over 512 rows: 34 million multiplications and additions. */
const PRODUCT: Layer = { S: 1, rows: 512, maxRows: 512, inputs: 256, out: 256, size: 65_536, weightAt: 0, biasAt: -1 };
const FLOPS = 2 * PRODUCT.rows * PRODUCT.inputs * PRODUCT.out;

/** A batch that gives a device something to do and a phone not too much: 64 tasks of 8 tries, 30 steps, seldom learning. */
const UPDATE = {
  ...{ 'rollout.tasksPerBatch': 64, 'rollout.groupSize': 8, 'run.seeds': 1, 'run.updates': 1000 },
  ...{ 'analysis.evalEvery': 0, 'optimizer.learningRate': 1e-7 },
};

/** So long is each measured, and at least so many updates. */
const LEAST_MS = 300;
const LEAST = 3;
/** Repetitions of a product until so much of the time is its own. */
const ENOUGH_MS = 20;
const MOST = 1024;

const product = (ms: number): number => FLOPS / ms / 1e6;

/** Billions of floating-point operations a second of a product on one core of the CPU path. */
export async function cpuProduct(): Promise<number> {
  const { rows, inputs, out } = PRODUCT;
  const kernels = makeKernels(rows * inputs + inputs * out + rows * out, 16 * inputs + 4096);
  const [X, theta, Y] = [rows * inputs, inputs * out, rows * out].map((n) => kernels.floats(n)) as Float32Array[];
  X!.set(numbers(1, rows * inputs));
  theta!.set(numbers(2, inputs * out));
  const layer = linear(inputs, out, 0);
  const watch: Stopwatch = async (times) => {
    const from = performance.now();
    for (let k = 0; k < times; k++) kernels.denseForward(layer, { theta: theta!, from: 0 }, X!, rows, Y!);
    return performance.now() - from;
  };
  return product(await timeOfOne(watch, ENOUGH_MS, MOST));
}

/** The same on a device, in the form that runs would use on it. */
export async function gpuProduct(gpu: Gpu): Promise<number> {
  const { rows, inputs, out, size } = PRODUCT;
  const tiles = await tune(gpu);
  const owned = [rows * inputs, size, rows * out].map((floats) => gpu.buffer('speed', floats, 0x80 | 0x04 | 0x08));
  const [X, theta, Y] = owned as [GPUBuffer, GPUBuffer, GPUBuffer];
  const { kernel, dims, groups } = forwardProduct(PRODUCT, forwardForm(PRODUCT, tiles), 'none', false);
  const list = new CommandList(gpu, 'speed', owned);
  try {
    await list.add(kernel, { X, theta, Y }, dims, groups);
    const watch: Stopwatch = async (times) => {
      const from = performance.now();
      const encoder = gpu.device.createCommandEncoder({ label: 'speed' });
      for (let k = 0; k < times; k++) list.encode(encoder);
      gpu.device.queue.submit([encoder.finish()]);
      await readBack(gpu, { buffer: Y, offset: 0, size: 4 });
      return performance.now() - from;
    };
    return product(await timeOfOne(watch, ENOUGH_MS, MOST));
  } finally {
    for (const buffer of owned) gpu.free(buffer);
  }
}

/** How fast a path trains: environment steps a second of rollouts, training steps and whole updates a second. */
export type TrainingSpeed = { readonly rollout: number; readonly step: number; readonly update: number };

async function opened(make: MakeBackend): Promise<Run> {
  const config = configWith(UPDATE);
  await prepareTask(config);
  const made = await createRun(config, make);
  if (!made.ok) throw new Error(problemLine(made.problem));
  return made.value;
}

/** Trains a few updates. `settled` waits until the device is done, so that slots do not overlap where they are timed. */
export async function trainingSpeed(make: MakeBackend, settled: () => Promise<void>): Promise<TrainingSpeed> {
  const run = await opened(make);
  let backend: Backend | null = null;
  try {
    const { plan, state } = run.startOf(await run.checkpoint());
    backend = await make(plan, state);
    const work = new Work(plan, backend, state);
    await work.update();
    const whole = await work.timed(await updatesFor(work));
    const ms = { rollout: 0, optimize: 0 };
    let [count, steps] = [0, 0];
    const from = performance.now();
    for (; count < LEAST || performance.now() - from < LEAST_MS; count++) {
      steps += await work.update(async (slot, act) => {
        const began = performance.now();
        await act();
        await settled();
        if (slot === 'rollout' || slot === 'optimize') ms[slot] += performance.now() - began;
      });
    }
    // clocks of a page may stand still for a tenth of a millisecond
    const per = (n: number, took: number): number => (1000 * n) / Math.max(took, 0.1);
    return { rollout: per(steps, ms.rollout), step: per(count, ms.optimize), update: 1000 / whole.updateMs };
  } finally {
    backend?.dispose();
    run.dispose();
  }
}

/** How many updates fill the time that is measured. */
async function updatesFor(work: Work): Promise<number> {
  const { updateMs } = await work.timed(1);
  return Math.max(LEAST, Math.ceil(LEAST_MS / Math.max(updateMs, 1)));
}
