import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Gpu } from '../../gpu/device.ts';
import { METRICS, metricIndex, type MetricId } from '../../methods/analysis/metrics.ts';
import { Run } from '../run.ts';
import { replicasOf } from '../state.ts';
import { gpuBackendOn } from './gpuBackend.ts';
import { openDevice, openSmall, train, trainAlike } from './sideBySide.ts';

// one device for all: its compiled kernels are kept
let gpu: Gpu;
beforeAll(async () => {
  gpu = await openDevice();
});
afterAll(() => gpu.device.destroy());

const transformer = {
  'policy.method': 'transformer',
  'policy.transformer.width': 8,
  'policy.transformer.hidden': 12,
  'policy.transformer.layers': 1,
};
const stop = { 'objective.klStop': 0.002, 'objective.epochs': 4, 'objective.minibatches': 2 };
const target = { 'objective.klCoef': 0.05, 'objective.klTarget': 0.001, 'objective.klHorizon': 20 };
const entropy = { 'objective.entropyTarget': 1.3, 'objective.entropyGain': 0.1 };
const reset = { 'objective.klCoef': 0.1, 'objective.reset': 'every', 'objective.resetEvery': 2 };
const safe = { 'objective.klControl': 'safe', 'optimizer.learningRate': 0.1 };
const pay = { 'objective.klIn': 'reward', 'objective.klCoef': 0.3 };

const COMPARED: readonly MetricId[] = [
  ...(['success', 'evalSuccess', 'returnMean', 'entropy', 'ess', 'approxKL', 'gradNorm', 'policyLoss'] as const),
  ...(['updateNorm', 'gradTurn', 'klRef', 'klCoef', 'entropyCoef', 'resets', 'creditRms', 'creditMean'] as const),
];

test.each([
  ['the reference is reset', reset, 5],
  ['the KL weight follows a target', target, 4],
  ['the entropy bonus follows a target', entropy, 4],
  ['SAFE', safe, 4],
  ['KL stop', { ...stop, 'optimizer.learningRate': 0.03 }, 3],
  ['KL in the reward', { ...pay, 'advantage.method': 'grpo' }, 4],
  ['KL in the reward, adaptive, with a critic', { ...pay, ...target, 'advantage.method': 'gae' }, 4],
  ['KL in the reward that nobody pays', { ...pay, 'objective.klCoef': 0 }, 2],
  ['all that follows', { ...target, ...entropy, ...stop, ...reset, 'advantage.method': 'gae' }, 4],
  ['a surveyed objective that stops', { ...stop, ...target, 'objective.method': 'klCov' }, 2],
  ['negative credit scaled', { 'objective.negativeScale': true }, 3],
  ['a virtual target', { 'objective.virtualTarget': true, 'advantage.matched': true }, 3],
  ['both revisions', { 'objective.virtualTarget': true, 'objective.negativeScale': true }, 3],
  ['commands: KL stop', { ...transformer, ...stop }, 3],
  ['commands: KL in the reward', { ...transformer, ...pay }, 3],
  ['commands: SAFE and resets', { ...transformer, ...safe, ...reset, 'objective.klCoef': 0 }, 3],
] as const)('the GPU agrees with the CPU: %s', async (_, changes, updates) => {
  const onGpu = await openSmall(changes, gpu);
  const onCpu = await openSmall(changes);
  expect(onGpu.backend.kind).toBe('webgpu');
  await trainAlike(onGpu, onCpu, updates, COMPARED);
  const mine = (await onGpu.backend.save()).control;
  const theirs = (await onCpu.backend.save()).control;
  expect(mine === undefined).toBe(theirs === undefined);
  if (mine && theirs) expect([...mine.taken]).toEqual([...theirs.taken]);
  onGpu.dispose();
  expect([...gpu.bytes]).toEqual([]);
});

test('a replica that has moved too far takes no further step on the GPU either', async () => {
  const fast = { ...stop, 'optimizer.learningRate': 0.1, 'objective.method': 'reinforce' };
  const run = await openSmall(fast, gpu);
  await train(run, 2);
  const taken = [...(await run.backend.save()).control!.taken];
  for (const n of taken) {
    expect(n).toBeGreaterThanOrEqual(2);
    expect(n).toBeLessThan(16);
  }
  run.dispose();
});

const everything = { ...target, ...entropy, ...stop, ...reset };
test.each([
  ['controllers, stop and resets', everything],
  ['SAFE on commands', { ...transformer, ...safe }],
  ['KL in the reward and revised credit', { ...pay, 'objective.negativeScale': true, 'objective.virtualTarget': true }],
])('controlled runs resume exactly, and a replica among others is the replica alone: %s', async (_, changes) => {
  const whole = await openSmall(changes, gpu);
  await train(whole, 3);
  const middle = await whole.checkpoint();
  await train(whole, 2);
  const end = (await whole.checkpoint()).state;
  const again = await Run.create(whole.plan, gpuBackendOn(gpu), middle);
  await train(again, 2);
  expect((await again.checkpoint()).state).toEqual(end);
  const alone = await openSmall({ ...changes, 'run.seeds': 1, 'run.seed': whole.plan.seeds[1]! }, gpu);
  const records = await train(alone, 5);
  expect((await alone.checkpoint()).state).toEqual(replicasOf(end, 2, 1, 1));
  expect(records.every((r) => r.metrics.length === METRICS && r.metrics[metricIndex.entropy]! > 0)).toBe(true);
  for (const run of [whole, again, alone]) run.dispose();
});
