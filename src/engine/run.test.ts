import { thetaOf } from '../contract/state.ts';
import { expect, test } from 'vitest';
import { metricIndex, METRICS } from '../slots/metrics/metrics.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { sampleRun, train } from './sampleRun.ts';

const small = { 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 4, 'run.updates': 40 };

test.each([
  ['MLP with minibatches and epochs', { 'objective.epochs': 2, 'objective.minibatches': 3 }],
  ['critic', { 'advantage.method': 'gae' }],
  ['table', { 'policy.method': 'tabular', 'optimizer.method': 'sgd' }],
  ['generated levels', { 'task.grid.level': 'doorKey', 'task.levels': 3 }],
  // a text of other words for every seed, and first weights that depend on how many there are
  ['generated texts', { 'task.method': 'textmaze', 'task.textmaze.level': 'tree', 'task.textmaze.maxSteps': 3 }],
])('three seeds side by side are three single runs, bit for bit: %s', async (_name, changes) => {
  const together = await sampleRun({ ...small, ...changes, 'run.seed': 11, 'run.seeds': 3 });
  await train(together, 6);
  const state = await together.backend.save();
  const { perSeed } = await together.digest();
  for (let r = 0; r < 3; r++) {
    const alone = await sampleRun({ ...small, ...changes, 'run.seed': 11 + r, 'run.seeds': 1 });
    await train(alone, 6);
    expect((await alone.digest()).perSeed[0]).toBe(perSeed[r]);
    const size = alone.plan.layout.size;
    expect(thetaOf(await alone.backend.save())).toEqual(thetaOf(state).slice(r * size, (r + 1) * size));
  }
});

test('stopping, copying the state and going on gives the digest of never having stopped', async () => {
  const straight = await sampleRun(small);
  await train(straight, 20);
  const first = await sampleRun(small);
  await train(first, 10);
  const saved = await first.checkpoint();
  await train(first, 3); // thrown away below
  await first.restore(saved, makeCpuBackend);
  await train(first, 10);
  expect(await first.digest()).toEqual(await straight.digest());
  expect(first.csv()).toBe(straight.csv());
});

test('measuring changes nothing: the digest is the same with and without evaluation', async () => {
  const measured = await sampleRun({ ...small, 'analysis.evalEvery': 1 });
  const blind = await sampleRun({ ...small, 'analysis.evalEvery': 0 });
  await train(measured, 8);
  const records = await train(blind, 8);
  expect(await measured.digest()).toEqual(await blind.digest());
  expect(records[0]!.metrics[metricIndex.evalSuccess]).toBeNaN();
});

test('fresh data, one optimizer step: before it every ratio is 1, so nothing is clipped', async () => {
  const run = await sampleRun({ ...small, 'optimizer.learningRate': 1e-6 });
  const [record] = await train(run, 1);
  for (let s = 0; s < run.plan.S; s++) {
    const at = (id: keyof typeof metricIndex): number => record!.metrics[s * METRICS + metricIndex[id]]!;
    expect(at('ess')).toBeGreaterThan(0.999);
    expect(at('clipFraction')).toBe(0);
    expect(at('approxKL')).toBeLessThan(1e-6);
    expect(at('entropy')).toBeCloseTo(Math.log(4), 2);
  }
});

test('what is not there is a gap, not 0: the loss of no critic, the distance to no reference', async () => {
  const none = (await train(await sampleRun(small), 1))[0]!.metrics;
  expect(none[metricIndex.valueLoss]).toBeNaN();
  expect(none[metricIndex.klRef]).toBeNaN();
  const both = { 'advantage.method': 'gae', 'objective.klCoef': 0.1 };
  const some = (await train(await sampleRun({ ...small, ...both }), 1))[0]!.metrics;
  expect(some[metricIndex.valueLoss]).toBeGreaterThan(0);
  expect(some[metricIndex.klRef]).toBeGreaterThan(0);
});

test('a learning rate that is not a number stops at the optimizer and leaves the weights as they were', async () => {
  const run = await sampleRun(small);
  await train(run, 3);
  const good = await run.backend.save();
  run.poison();
  const [record] = await train(run, 1);
  expect([...record!.bad]).toEqual([5, 5, 5]);
  const after = await run.backend.save();
  expect(thetaOf(after)).toEqual(thetaOf(good));
  expect(after.tensors.m).toEqual(good.tensors.m);
});
