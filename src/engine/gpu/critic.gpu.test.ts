import { replicasOf } from '../../contract/state.ts';
import { expect, test } from 'vitest';
import { testDevice } from '../../gpu/testDevice.ts';
import type { MetricId } from '../../slots/metrics/metrics.ts';
import { Run } from '../run.ts';
import { gpuBackendOn } from './gpuBackend.ts';
import { train } from '../sampleRun.ts';
import { openSmall, trainAlike } from '../../check/sideBySide.ts';

const gpu = await testDevice();

const gae = {
  'advantage.method': 'gae',
  'objective.epochs': 3,
  'objective.minibatches': 2,
  'objective.valueClip': 0.05,
};
const double = { ...gae, 'policy.critics': 'double' };
const returns = { 'reward.normalize': true, 'reward.normalizeClip': 1.2, 'reward.grid.step': -10 };
const pays = { 'objective.klIn': 'reward', 'objective.klCoef': 0.2 };
const words = {
  'policy.method': 'transformer',
  'policy.transformer.width': 8,
  'policy.transformer.hidden': 12,
  'policy.transformer.layers': 1,
  'policy.transformer.history': 1,
  'task.grid.maxSteps': 5,
};

const plainSteps = { 'optimizer.method': 'sgd', 'optimizer.learningRate': 0.2 };

const COMPARED: readonly MetricId[] = [
  ...(['success', 'returnMean', 'approxKL', 'gradNorm', 'policyLoss', 'valueLoss', 'explainedVariance'] as const),
  ...(['criticGap', 'creditMean', 'creditStd', 'updateNorm', 'gradTurn'] as const),
];

test.each([
  ['two values, the larger of both branches', double],
  [
    'two values, the mean of both branches with Huber',
    { ...double, 'objective.valueLoss': 'mean', 'objective.valueHuber': 0.3 },
  ],
  ['one value, the mean of both branches', { ...gae, 'objective.valueLoss': 'mean' }],
  ['one value, free with Huber', { ...gae, 'objective.valueLoss': 'plain', 'objective.valueHuber': 0.1 }],
  ['two values of a wide network, step by step', { ...double, 'policy.mlp.hidden': [70] }],
  ['two values of a table', { ...double, 'policy.method': 'tabular' }],
  ['two values, old batches', { ...double, 'rollout.staleness': 2, 'advantage.gae.cut': 'egae' }],
  [
    'warm-up of the critic',
    { ...gae, 'objective.criticWarmup': 2, 'objective.entropyCoef': 0.02, 'objective.klCoef': 0.1 },
  ],
  ['returns in units of the run', { ...gae, ...returns }],
  ['returns in units of the run, which pay for the reference', { ...gae, ...returns, ...pays }],
  ['returns in units of the run, task groups', { ...returns, 'advantage.method': 'grpo' }],
  [
    'commands: warm-up, returns in units of the run',
    { ...gae, ...words, ...returns, ...pays, 'objective.criticWarmup': 1 },
  ],
  // Adam divides numbers of nearly 0 by their own size: their rounding then decides what is clipped two updates later
  [
    'commands: two values',
    { ...double, ...words, ...plainSteps, 'objective.valueLoss': 'mean', 'objective.valueHuber': 0.3 },
  ],
] as const)('the GPU agrees with the CPU: %s', async (_, changes) => {
  const onGpu = await openSmall(changes, gpu);
  const onCpu = await openSmall(changes);
  expect(onGpu.backend.kind).toBe('webgpu');
  await trainAlike(onGpu, onCpu, 3, COMPARED);
  const [a, b] = [await onGpu.backend.view(1), await onCpu.backend.view(1)];
  // what the world paid is an exact number; it stands beside what the estimator saw
  expect(a.world).toEqual(b.world);
  expect(a.pays?.klCoef).toBe(b.pays?.klCoef);
  for (const of of ['running', 'reference'] as const) {
    const [mine, theirs] = [Array.from(a.pays?.[of] ?? []), Array.from(b.pays?.[of] ?? [])];
    expect(mine.length).toBe(theirs.length);
    mine.forEach((x, k) => expect(Math.abs(x - theirs[k]!)).toBeLessThan(1e-4));
  }
  if ('reward.normalize' in changes) expect(a.world!.reward).not.toEqual(a.batch.reward);
  const { B, T } = onCpu.plan;
  for (let k = 0; k < B * T; k++) {
    const isReal = k % T < b.batch.length[Math.floor(k / T)]!;
    if (isReal) expect(Math.abs(a.batch.value[k]! - b.batch.value[k]!), `V of step ${k}`).toBeLessThan(2e-4);
  }
  onGpu.dispose();
});

const everything = { ...double, ...returns, ...pays, 'objective.criticWarmup': 1 };
test.each([
  ['two values', double],
  ['all of it', everything],
])('runs resume exactly on the GPU, and a replica among others is the replica alone: %s', async (_, changes) => {
  const run = await openSmall(changes, gpu);
  await train(run, 2);
  const middle = await run.checkpoint();
  await train(run, 2);
  const whole = (await run.checkpoint()).state;
  const again = await Run.create(run.plan, gpuBackendOn(gpu), middle);
  await train(again, 2);
  expect((await again.checkpoint()).state).toEqual(whole);
  const alone = await openSmall({ ...changes, 'run.seeds': 1, 'run.seed': run.plan.seeds[1]! }, gpu);
  await train(alone, 4);
  expect((await alone.checkpoint()).state).toEqual(replicasOf(whole, 2, 1, 1));
  for (const one of [run, again, alone]) one.dispose();
});
