import { replicasOf, thetaOf } from '../contract/state.ts';
import { expect, test } from 'vitest';
import { METRICS, metricIndex } from '../slots/metrics/metrics.ts';
import { clipFactor } from '../core/math/gradientNorm.ts';
import { sampleRun } from '../engine/sampleRun.ts';
import { walkUpdate } from './stepThrough.ts';

const small = { 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 4, 'run.updates': 40, 'run.seed': 5 };

test.each([
  ['one optimizer step', {}],
  [
    'epochs, minibatches and a tight norm limit',
    { 'objective.epochs': 2, 'objective.minibatches': 3, 'optimizer.clipNorm': 0.05 },
  ],
  ['critic', { 'advantage.method': 'gae', 'objective.epochs': 2 }],
  ['process model', { 'advantage.method': 'oprl' }],
  ['table', { 'policy.method': 'tabular', 'optimizer.method': 'sgd' }],
  ['generated levels', { 'task.grid.level': 'doorKey', 'task.levels': 3 }],
])('an update that is walked through is the update that the run makes, bit for bit: %s', async (_name, changes) => {
  const run = await sampleRun({ ...small, ...changes });
  for (let u = 0; u < 3; u++) await run.submit();
  const before = await run.backend.save();
  const digest = await run.digest();
  const walks = [];
  for (const replica of [0, 2]) walks.push(await walkUpdate(run.plan, await run.backend.save(), replica));
  // looking moves nothing
  expect(await run.backend.save()).toEqual(before);
  expect(await run.digest()).toEqual(digest);
  const record = await run.submit();
  const after = await run.backend.save();
  for (const { walk, theta, replica } of walks) {
    expect(theta).toEqual(thetaOf(replicasOf(after, run.plan.S, replica, 1)));
    const view = await run.backend.view(replica);
    expect(walk.snapshot.A).toEqual(view.A);
    expect(walk.snapshot.state).toEqual(view.state);
    expect(walk.snapshot.action).toEqual(view.batch.action);
    expect(walk.snapshot.update).toBe(record.update);
    expect(walk.snapshot.replica).toBe(replica);
    const metric = (id: keyof typeof metricIndex): number => record.metrics[replica * METRICS + metricIndex[id]]!;
    expect(walk.approxKL).toBe(metric('approxKL'));
    const norms = walk.stops.map((stop) => stop.gradNorm);
    expect(norms.reduce((a, b) => a + b, 0) / norms.length).toBeCloseTo(metric('gradNorm'), 12);
    expect(Math.max(...walk.end.ratio)).toBeCloseTo(metric('ratioMax'), 5);
  }
});

test('digests: stepping through each update on the way gives the run that never did', async () => {
  const straight = await sampleRun(small);
  const walked = await sampleRun(small);
  for (let u = 0; u < 5; u++) {
    await straight.submit();
    await walkUpdate(walked.plan, await walked.backend.save(), u % 3);
    await walked.submit();
  }
  expect(await walked.digest()).toEqual(await straight.digest());
  expect(thetaOf(await walked.backend.save())).toEqual(thetaOf(await straight.backend.save()));
});

test('stops follow the optimizer: every unit once per epoch, ratios 1 before the first step, norms as they were used', async () => {
  const run = await sampleRun({
    ...small,
    'objective.epochs': 2,
    'objective.minibatches': 2,
    'optimizer.clipNorm': 0.05,
    'optimizer.learningRate': 0.05,
  });
  await run.submit();
  const { walk } = await walkUpdate(run.plan, await run.backend.save(), 1);
  expect(walk.stops.map(({ epoch, minibatch }) => [epoch, minibatch])).toEqual([
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ]);
  const { length, A, T } = walk.snapshot;
  const steps = length.reduce((a, b) => a + b, 0);
  for (const epoch of [0, 1]) {
    const own = walk.stops.filter((stop) => stop.epoch === epoch);
    const places = own.flatMap((stop) => [...stop.step]);
    expect(new Set(places).size).toBe(steps);
    for (const stop of own) for (let u = 0; u < stop.A.length; u++) expect(stop.A[u]).toBe(A[stop.step[u]!]);
  }
  expect(walk.stops[0]!.ratio.every((ratio) => Math.abs(ratio - 1) < 1e-5)).toBe(true);
  expect(walk.end.ratio.some((ratio) => Math.abs(ratio - 1) > 1e-2)).toBe(true);
  for (const stop of walk.stops) {
    expect(stop.usedNorm).toBeCloseTo(stop.gradNorm * clipFactor(stop.gradNorm, 0.05), 5);
    const squares = stop.tensors.reduce((sum, tensor) => sum + tensor.moved ** 2, 0);
    expect(Math.sqrt(squares)).toBeCloseTo(stop.updateNorm, 6);
  }
  const k = walk.end.step.findIndex((step) => step % T === 0);
  const { before, after } = walk.policy!;
  const at = walk.end.step[k]! * walk.snapshot.actions.length + walk.snapshot.action[walk.end.step[k]!]!;
  // ρ = π_new(a|s) / π_old(a|s), twice computed
  expect(after[at]! / before[at]!).toBeCloseTo(walk.end.ratio[k]!, 3);
});
