import { tensorsOf, thetaOf } from '../contract/state.ts';
import { beforeAll, expect, test } from 'vitest';
import { defaultsOf } from '../core/settings.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { METRICS, metricIndex } from '../slots/metrics/metrics.ts';
import { preferenceLoss } from '../slots/advantage/oprl/preference.ts';
import { rloo } from '../slots/advantage/rloo.ts';
import { makeArrays } from './arrays.ts';
import { makeCpuPolicy } from './cpu/policy.ts';
import { rolloutReplica } from './cpu/rollout.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { makePlan, makeTasks } from './plan.ts';
import type { Run } from './run.ts';
import { sampleRun, train } from './sampleRun.ts';
import { initialState } from './state.ts';
import { networkOf, prepareNetwork } from '../networks/policy.ts';

// policies are made here without a run
beforeAll(async () => void (await prepareNetwork(networkOf('transformer'))));

const small = {
  'advantage.method': 'oprl',
  'rollout.tasksPerBatch': 2,
  'rollout.groupSize': 6,
  'run.seeds': 1,
  'run.updates': 40,
  'policy.mlp.hidden': [8],
  'task.grid.maxSteps': 30,
};
const words = { 'policy.method': 'transformer', 'policy.transformer.width': 16, 'policy.transformer.layers': 1 };

const open = (changes: Record<string, unknown> = {}): Promise<Run> => sampleRun({ ...small, ...changes });

/** One rollout of a fresh policy, with everything a gradient of log-probabilities needs. */
function played(changes: Record<string, unknown>) {
  const plan = must(makePlan(configWith({ ...small, ...changes })));
  const arrays = makeArrays(plan);
  const policy = makeCpuPolicy(plan);
  const theta = thetaOf(initialState(plan));
  rolloutReplica(plan, arrays, { policy, theta, tasks: makeTasks(plan, 0, 'train'), mode: 'train' }, 0);
  const step = Int32Array.from({ length: Math.min(3, arrays.length[1]!, policy.chunk) }, (_, t) => plan.T + t);
  return { plan, arrays, policy, theta, step };
}

test.each([
  ['layers', { 'rollout.temperature': 0.7 }],
  ['words', { ...words, 'rollout.temperature': 0.7 }],
])('the gradient of log-probabilities is their slope: %s', (_name, changes) => {
  const { arrays, policy, theta, step } = played(changes);
  const slope = Float64Array.from(step, (_k, k) => 1 - 0.4 * k);
  const gradient = new Float32Array(theta.length);
  policy.addLogpGradient({ arrays, theta, s: 0, step, n: step.length }, slope, gradient);
  const out = new Float32Array(arrays.logp.length);
  const along = (h: number): number => {
    const moved = theta.map((x, k) => x + h * gradient[k]!);
    policy.logProbs({ arrays, theta: moved, s: 0, step, n: step.length }, out);
    return step.reduce((total, at, k) => total + slope[k]! * out[at]!, 0);
  };
  // along the gradient itself the slope is its squared length
  const squared = gradient.reduce((total, g) => total + g * g, 0);
  const h = 0.02 / Math.sqrt(squared);
  const measured = (along(h) - along(-h)) / (2 * h);
  expect(squared).toBeGreaterThan(1e-3);
  expect(Math.abs(measured / squared - 1)).toBeLessThan(5e-3);
});

test.each([
  ['layers', { 'rollout.temperature': 0.7 }],
  ['words', { ...words, 'rollout.temperature': 0.7 }],
])('the sampling policy scores its own batch as it was sampled, to the bit: %s', (_name, changes) => {
  const { arrays, policy, theta, step } = played(changes);
  const out = new Float32Array(arrays.logp.length);
  policy.logProbs({ arrays, theta, s: 0, step, n: step.length }, out);
  for (const at of step) expect(out[at]).toBe(arrays.logp[at]);
});

test('the first update has the credit of its base, because φ is still the policy; later ones differ', async () => {
  const run = await open();
  for (const u of [0, 1, 2, 3]) {
    await run.submit();
    const { batch, A } = await run.backend.view(0);
    const base = rloo.run(batch, defaultsOf(rloo.params)).A;
    if (u === 0) expect(A).toEqual(base);
    if (u === 3) expect(A).not.toEqual(base);
  }
});

test('φ scores a batch before it learns from it, and the recorded loss is the one it was scored with', async () => {
  const run = await open();
  for (let u = 0; u < 4; u++) {
    const before = tensorsOf((await run.backend.save()).tensors, 'process');
    const [record] = await train(run, 1);
    const after = tensorsOf((await run.backend.save()).tensors, 'process');
    const { batch } = await run.backend.view(0);
    const { pairs, loss, accuracy } = preferenceLoss(batch, 0.05, 'sum');
    const at = (id: keyof typeof metricIndex): number => record!.metrics[metricIndex[id]]!;
    if (pairs === 0) {
      expect(at('pairLoss')).toBeNaN();
      expect(after).toEqual(before);
    } else {
      expect(at('pairLoss')).toBe(loss);
      expect(at('pairAccuracy')).toBe(accuracy);
      expect(after['steps'][0]).toBe(before['steps'][0]! + 1);
      expect(after['phi']).not.toEqual(before['phi']);
    }
  }
});

test('without a success there is no pair: φ does not move and nothing is recorded', async () => {
  const run = await open({ 'task.grid.maxSteps': 3 });
  const records = await train(run, 3);
  const { tensors } = await run.backend.save();
  expect(tensors['process.phi']).toEqual(thetaOf(initialState(run.plan)));
  expect([...tensors['process.steps']]).toEqual([0]);
  for (const record of records) expect(record.metrics[metricIndex.pairAccuracy]).toBeNaN();
});

test('φ goes through stopping and copying: the digest is that of never having stopped', async () => {
  const straight = await open();
  await train(straight, 12);
  const first = await open();
  await train(first, 6);
  const saved = await first.checkpoint();
  await train(first, 2);
  await first.restore(saved, makeCpuBackend);
  await train(first, 6);
  expect(await first.digest()).toEqual(await straight.digest());
  expect(await first.backend.save()).toEqual(await straight.backend.save());
});

test('three seeds side by side are three single runs, their process models too', async () => {
  const together = await open({ 'run.seed': 5, 'run.seeds': 3 });
  await train(together, 5);
  const process = tensorsOf((await together.backend.save()).tensors, 'process');
  for (let r = 0; r < 3; r++) {
    const alone = await open({ 'run.seed': 5 + r });
    await train(alone, 5);
    const { size } = alone.plan.layout;
    const own = tensorsOf((await alone.backend.save()).tensors, 'process');
    expect(own['phi']).toEqual(process['phi'].slice(r * size, (r + 1) * size));
    expect(own['steps'][0]).toBe(process['steps'][r]);
  }
});

test('a learning rate that is not a number stops at the optimizer; φ stays where it was', async () => {
  const run = await open();
  await train(run, 3);
  const good = await run.backend.save();
  run.poison();
  const [record] = await train(run, 1);
  expect([...record!.bad]).toEqual([5]);
  expect(tensorsOf((await run.backend.save()).tensors, 'process')).toEqual(tensorsOf(good.tensors, 'process'));
});

test('other estimators have no process model and record nothing of one', async () => {
  const run = await open({ 'advantage.method': 'rloo' });
  const [record] = await train(run, 1);
  expect(tensorsOf((await run.backend.save()).tensors, 'process')).toEqual({});
  expect(record!.metrics).toHaveLength(METRICS);
  expect(record!.metrics[metricIndex.pairLoss]).toBeNaN();
});

test('words learn from pairs too', async () => {
  const run = await open({ ...words, 'rollout.groupSize': 4, 'task.grid.maxSteps': 60 });
  await train(run, 2);
  const state = await run.backend.save();
  expect(state.tensors['process.steps'][0]).toBeGreaterThan(0);
  expect(state.tensors['process.phi'].every(Number.isFinite)).toBe(true);
});
