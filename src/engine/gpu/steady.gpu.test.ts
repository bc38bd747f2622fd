import { thetaOf } from '../../contract/state.ts';
import { expect, test } from 'vitest';
import { estimateCost } from '../../config/cost.ts';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { openGpu } from '../../gpu/device.ts';
import { Profiler } from '../../gpu/profiler.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { tune } from '../../gpu/tune.ts';
import { createRun, type Run } from '../run.ts';
import { gpuBackendOn } from './gpuBackend.ts';

const gpu = await testDevice();

const TINY = {
  'rollout.tasksPerBatch': 2,
  'rollout.groupSize': 3,
  'run.seeds': 1,
  'run.updates': 20_000,
  'policy.mlp.hidden': [4],
  'task.grid.level': 'corridor',
  'task.grid.n': 5,
  'task.grid.maxSteps': 9,
  'analysis.evalEvery': 0,
};

async function open(changes: Record<string, unknown>, fused = true): Promise<Run> {
  return must(await createRun(configWith({ ...TINY, ...changes }), gpuBackendOn(gpu, fused)));
}

const total = (): number => [...gpu.bytes.values()].reduce((a, b) => a + b, 0);

test.each([
  ['critic, three seeds, evaluation', { 'advantage.method': 'gae', 'run.seeds': 3, 'analysis.evalEvery': 2 }],
  ['greedy episodes', { 'advantage.method': 'remax', 'policy.mlp.hidden': [6, 8] }],
  ['table in Sokoban', { 'task.method': 'sokoban', 'task.sokoban.view': 'index', 'policy.method': 'tabular' }],
])('a run with fused rollouts has the digest and the metrics of one without: %s', async (_name, changes) => {
  const sides = [];
  for (const fused of [false, true]) {
    const run = await open({ ...changes, 'run.updates': 4 }, fused);
    const records = [];
    for (let u = 0; u < 4; u++) records.push(await run.submit());
    const { state } = await run.checkpoint();
    sides.push({ records, theta: [...thetaOf(state)], digest: await run.digest() });
    run.dispose();
  }
  expect(sides[1]).toEqual(sides[0]);
});

/** `VITE_UPDATES=10000 npx vitest run --project gpu steady -t leaves` looks for longer. */
const UPDATES = Number(import.meta.env['VITE_UPDATES'] ?? 120);

test('a hundred updates make no buffer, and stopping leaves none', { timeout: 600_000 + UPDATES * 200 }, async () => {
  const run = await open({});
  for (let u = 0; u < 3; u++) await run.submit();
  // what comes back takes its memory once
  await run.backend.view(0);
  await run.checkpoint();
  const held = total();
  const make = gpu.device.createBuffer.bind(gpu.device);
  let made = 0;
  gpu.device.createBuffer = (descriptor) => {
    made++;
    return make(descriptor);
  };
  for (let u = 0; u < UPDATES; u++) await run.submit();
  await run.backend.view(0);
  const { state } = await run.checkpoint();
  expect(made).toBe(0);
  gpu.device.createBuffer = make;
  expect(state.update).toBe(UPDATES + 3);
  expect(total()).toBe(held);
  run.dispose();
});

test('an update of one hidden layer stays within its budget of dispatches', async () => {
  const run = await open({});
  const profiler = new Profiler(gpu, 'repeats');
  gpu.profiler = profiler;
  await run.submit();
  gpu.profiler = null;
  const of = (list: string): number => profiler.timed.filter((t) => t.list === list).length;
  // start, ⌈9 / 8⌉ chunks, finish
  expect(of('rollout')).toBeLessThanOrEqual(4);
  expect(of('rollout')).toBeGreaterThanOrEqual(3);
  expect(profiler.timed.length).toBeLessThanOrEqual(48);
  run.dispose();
});

// of runs of all kinds: bench/model/deviceMemory.test.ts, on a device that only counts
test('the estimate of memory is that of the buffers of a real device, within a fifth', async () => {
  const config = { 'rollout.groupSize': 8, 'task.grid.maxSteps': 30, 'run.seeds': 2, 'rollout.tasksPerBatch': 16 };
  const run = await open(config);
  const estimate = estimateCost(configWith({ ...TINY, ...config }), null)!.bytes;
  const held = total();
  run.dispose();
  expect(estimate / held).toBeGreaterThan(0.8);
  expect(estimate / held).toBeLessThan(1.2);
});

test('the kernels of a run and of its greedy episodes compile side by side: none waits for another', async () => {
  const opened = must(await openGpu());
  const { device } = opened;
  // what is compiled to find out what the device is good at comes before, once in its life
  await tune(opened);
  const make = device.createComputePipelineAsync.bind(device);
  const asked: Promise<unknown>[] = [];
  let first = Infinity;
  device.createComputePipelineAsync = async (descriptor) => {
    const made = make(descriptor);
    asked.push(made);
    // nothing is handed out before all is made that was asked for until then
    for (let before = 0; before < asked.length;) {
      before = asked.length;
      await Promise.all(asked);
    }
    first = Math.min(first, asked.length);
    return made;
  };
  const changes = {
    ...TINY,
    'advantage.method': 'remax',
    'rollout.rolloutPrecision': 'f16',
    'policy.mlp.hidden': [65],
  };
  const run = await createRun(configWith(changes), gpuBackendOn(opened));
  expect(run.ok).toBe(true);
  expect(asked.length).toBeGreaterThan(20);
  expect(first).toBe(asked.length);
  if (run.ok) run.value.dispose();
  device.destroy();
});
