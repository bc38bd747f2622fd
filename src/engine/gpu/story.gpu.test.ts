import { type TrainState, tensorOf, thetaOf } from '../../contract/state.ts';
import { expect, test } from 'vitest';
import { eventsOf, REFERENCE, RESET, withEvent, withEvents } from '../../config/events.ts';
import { forkConfig } from '../../config/fork.ts';
import { configWith } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import { must } from '../../core/problem.ts';
import type { Gpu } from '../../gpu/device.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { makePlan } from '../plan.ts';
import { createRun, Run, type Checkpoint } from '../run.ts';
import { gpuBackendOn } from './gpuBackend.ts';

const small = configWith({
  'task.grid.level': 'corridor',
  'rollout.tasksPerBatch': 2,
  'rollout.groupSize': 4,
  'run.seeds': 2,
  'run.updates': 6,
  'policy.mlp.hidden': [8],
  'optimizer.learningRate': 0.05,
});

const gpu = await testDevice();

async function open(config: Config, on?: Gpu): Promise<Run> {
  return must(await createRun(config, on && gpuBackendOn(on)));
}

/** As the worker does: two updates in flight, also where the backend changes in between. */
async function trainTo(run: Run, update: number): Promise<Run> {
  const records: Promise<unknown>[] = [];
  while (run.update < update) {
    records.push(run.submit());
    if (records.length >= 2) await records.shift();
  }
  await Promise.all(records);
  return run;
}

async function endOf(run: Run): Promise<{ digest: string; theta: Float32Array }> {
  await trainTo(run, 6);
  const end = { digest: (await run.digest()).all, theta: thetaOf((await run.checkpoint()).state) };
  run.dispose();
  return end;
}

async function resumed(config: Config, from: Checkpoint) {
  return endOf(await Run.create(must(makePlan(config)), gpuBackendOn(gpu), from));
}

const apart = (a: Float32Array, b: Float32Array): number =>
  a.reduce((most, x, k) => Math.max(most, Math.abs(x - b[k]!)), 0);

test('WebGPU: changes in mid-run act as they do on the CPU, and the config that they leave repeats them exactly', async () => {
  const run = await trainTo(await open(small, gpu), 3);
  const changes = [
    ['rollout.temperature', 2],
    ['objective.klCoef', 0.4],
    ['objective.entropyCoef', 0.4],
    ['optimizer.learningRate', 0.2],
  ] as const;
  const config = changes.reduce((c, [path, value]) => withEvent(c, { update: 3, path, value }), small);
  run.setEvents(config);
  await trainTo(run, 4);
  // one update after the change the weights are still those of the CPU, within rounding
  const theta = thetaOf((await run.checkpoint()).state);
  const onCpu = thetaOf((await (await trainTo(await open(config), 4)).checkpoint()).state);
  expect(apart(theta, onCpu)).toBeLessThan(1e-3);
  for (const [path] of changes) {
    const without = withEvents(
      config,
      eventsOf(config).filter((e) => e.path !== path),
    );
    const other = await (await trainTo(await open(without), 4)).checkpoint();
    expect(apart(theta, thetaOf(other.state)), path).toBeGreaterThan(5e-3);
  }
  expect(await endOf(await open(config, gpu))).toEqual(await endOf(run));
});

test.each([
  ['and nothing else', {}],
  ['beside resets of its own', { 'control.resetStalled.on': true }],
])('WebGPU: a reset of the reference by hand acts as on the CPU, and its config repeats it: %s', async (_, changes) => {
  // the first step of Adam is a sign: gradients near 0 would point anywhere
  const sgd = { 'optimizer.method': 'sgd', 'optimizer.sgd.momentum': 0.9, 'optimizer.learningRate': 0.5 };
  const start = configWith({ ...sgd, 'objective.klCoef': 0.4, ...changes }, small);
  const run = await trainTo(await open(start, gpu), 3);
  const config = withEvent(start, { update: 3, path: REFERENCE, value: RESET });
  run.setEvents(config);
  await trainTo(run, 4);
  const { state } = await run.checkpoint();
  const onCpu = (await (await trainTo(await open(config), 4)).checkpoint()).state;
  const without = (await (await trainTo(await open(start), 4)).checkpoint()).state;
  const of = ({ tensors }: TrainState, name: string): Float32Array => tensorOf(tensors, name, 'f32');
  for (const name of ['theta', 'reference', 'm']) {
    expect(apart(of(state, name), of(onCpu, name)), name).toBeLessThan(1e-3);
    expect(apart(of(state, name), of(without, name)), name).toBeGreaterThan(2e-3);
  }
  expect(state.steps).toBe(onCpu.steps);
  expect(state.tensors['control.resets']).toEqual(onCpu.tensors['control.resets']);
  expect(state.tensors['control.taken']).toEqual(onCpu.tensors['control.taken']);
  expect(await endOf(await open(config, gpu))).toEqual(await endOf(run));
});

test('WebGPU: going back to a checkpoint and a fork from it are exact', async () => {
  const run = await trainTo(await open(small, gpu), 3);
  const from = await run.checkpoint();
  await trainTo(run, 6);
  const end = { theta: thetaOf((await run.checkpoint()).state), digest: await run.digest() };
  await run.restore(from);
  // nothing was played since, and the copy still knows where it stands
  expect((await run.checkpoint()).state.update).toBe(3);
  await trainTo(run, 6);
  expect({ theta: thetaOf((await run.checkpoint()).state), digest: await run.digest() }).toEqual(end);
  run.dispose();
  const fork = forkConfig(small, 3, configWith({ 'optimizer.method': 'sgd', 'rollout.groupSize': 6 }, small));
  expect(await endOf(await open(fork, gpu))).toEqual(await resumed(fork, from));
});

test.each([
  ['a mixture', 'mixed', 'queue'],
  ['a queue', 'queue', 'interrupted'],
])('WebGPU: where %s of versions plays, a fork goes on with the old ones, exactly', async (_, ages, other) => {
  const aged = configWith({ 'rollout.staleness': 3, 'rollout.generators': 5, 'rollout.ages': ages }, small);
  const run = await trainTo(await open(aged, gpu), 4);
  const from = await run.checkpoint();
  const end = await endOf(run);
  const same = forkConfig(aged, 4, aged);
  expect(await endOf(await open(same, gpu))).toEqual(end);
  expect(await resumed(same, from)).toEqual(end);
  const changed = forkConfig(aged, 4, configWith({ 'rollout.ages': other }, aged));
  const forked = await resumed(changed, from);
  expect(await endOf(await open(changed, gpu))).toEqual(forked);
  expect(forked.digest).not.toBe(end.digest);
  expect(forked.theta).not.toEqual(end.theta);
});
