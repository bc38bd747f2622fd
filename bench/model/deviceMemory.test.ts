import { expect, test } from 'vitest';
import { estimateCost } from '../../src/config/cost.ts';
import { prepareTask } from '../../src/config/level.ts';
import { configWith } from '../../src/config/schema.ts';
import { must } from '../../src/core/problem.ts';
import { gpuBackendOn } from '../../src/engine/gpu/gpuBackend.ts';
import { createRun } from '../../src/engine/run.ts';
import { Gpu } from '../../src/gpu/device.ts';
import { CountingDevice } from './countingDevice.ts';

type Changes = Readonly<Record<string, unknown>>;

/** A small run, where what only some runs have is much of the whole. */
const FEW: Changes = {
  ...{ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 8, 'run.seeds': 2, 'policy.mlp.hidden': [4] },
  ...{ 'task.grid.level': 'corridor', 'task.grid.n': 5, 'task.grid.maxSteps': 30, 'analysis.evalEvery': 0 },
};
const TWICE: Changes = { 'policy.critics': 'double', 'advantage.method': 'gae', 'reward.normalize': true };
const COUNTED: Changes = { 'reward.countBonus.on': true, 'reward.pbrs.on': true, 'rollout.tasksPerBatch': 16 };

const MANY: Changes = { 'rollout.tasksPerBatch': 16, 'rollout.groupSize': 16, 'task.grid.maxSteps': 40 };

test.each<Changes>([
  {},
  ...['mlp', 'tabular', 'conv', 'gru', 'gtrxl', 'memo'].map((id) => ({ ...MANY, 'policy.method': id })),
  { ...MANY, 'policy.method': 'transformer', 'task.method': 'textmaze' },
  { ...MANY, 'policy.mlp.hidden': [512, 512], 'run.seeds': 4 },
  { ...MANY, 'policy.mlp.storage': 'f16', 'policy.mlp.hidden': [256, 256] },
  { ...MANY, 'advantage.method': 'gae', 'objective.epochs': 4, 'objective.minibatches': 4 },
  ...['grpo', 'oprl', 'remax', 'graft', 'copo'].map((id) => ({ ...MANY, 'advantage.method': id })),
  { ...MANY, 'rollout.staleness': 8 },
  { ...MANY, 'task.method': 'sokoban', 'task.sokoban.maxSteps': 40 },
  {
    ...FEW,
    ...{ 'policy.mlp.hidden': [64, 32], 'policy.mlp.activation': 'gelu', 'rollout.tasksPerBatch': 16 },
  },
  { ...FEW, 'policy.mlp.hidden': [64, 64], 'policy.mlp.storage': 'f16' },
  { ...FEW, 'objective.klCoef': 0.1, 'advantage.method': 'gae', 'task.actionDelay': 2 },
  { ...FEW, ...TWICE },
  { ...FEW, 'advantage.method': 'remax', 'rollout.groupSize': 2 },
  { ...FEW, 'advantage.method': 'oprl', 'policy.mlp.hidden': [64] },
  { ...FEW, 'advantage.method': 'empg' },
  { ...FEW, 'advantage.method': 'hgpo', 'advantage.hgpo.K': 8 },
  { ...FEW, ...COUNTED },
  { ...MANY, 'reward.subpo.on': true, 'advantage.method': 'aboveStep', 'policy.method': 'tabular' },
  { ...FEW, 'rollout.staleness': 5, 'rollout.rolloutPrecision': 'f16', 'policy.mlp.hidden': [64] },
  { ...FEW, 'policy.method': 'transformer', 'task.grid.maxSteps': 8 },
  { ...FEW, 'policy.method': 'memo' },
  // 65,536 environments, and the longest episodes
  { 'rollout.tasksPerBatch': 1024, 'rollout.groupSize': 64, 'task.grid.maxSteps': 64, 'policy.mlp.hidden': [4] },
  { 'rollout.tasksPerBatch': 16, 'rollout.groupSize': 16, 'task.grid.maxSteps': 1024, 'policy.mlp.hidden': [4] },
])('the buffers of a run with %j are told within 20 %%', async (changes) => {
  const config = configWith({ 'run.seeds': 1, 'run.backend': 'webgpu', ...changes });
  await prepareTask(config);
  const counting = new CountingDevice();
  const gpu = new Gpu(counting.device, 'counting', false);
  const run = must(await counting.timed(() => createRun(config, gpuBackendOn(gpu))));
  await run.submit();
  const held = [...gpu.bytes.values()].reduce((sum, bytes) => sum + bytes, 0);
  run.dispose();
  const told = estimateCost(config, null)!.bytes;
  expect(told / held).toBeGreaterThan(0.8);
  expect(told / held).toBeLessThan(1.2);
});

/** 4,194,304 steps, which take one workgroup more along an axis than there may be. */
const MOST: Changes = {
  ...{ 'rollout.tasksPerBatch': 1024, 'rollout.groupSize': 64, 'task.grid.maxSteps': 64, 'policy.mlp.hidden': [4] },
  ...{ 'objective.epochs': 2, 'objective.minibatches': 3 },
};
const RATIO = { 'objective.method': 'clipCov', 'objective.klCoef': 0.1, 'control.entropyTarget.on': true };

test.each<Changes>([
  { 'advantage.method': 'gigpo', 'reward.countBonus.on': true, 'reward.pbrs.on': true },
  { 'advantage.method': 'gae', 'policy.critics': 'double', ...RATIO },
  { 'advantage.method': 'rloo', 'reward.normalize': true, 'rollout.staleness': 1 },
  { 'advantage.method': 'hgpo', 'policy.method': 'tabular', 'policy.critics': 'none' },
])('a run of 65,536 environments with %j asks for no more workgroups than a device has', async (changes) => {
  const config = configWith({ 'run.seeds': 1, 'run.backend': 'webgpu', ...MOST, ...changes });
  await prepareTask(config);
  const counting = new CountingDevice();
  const run = must(
    await counting.timed(() => createRun(config, gpuBackendOn(new Gpu(counting.device, 'counting', false)))),
  );
  await run.submit();
  const { dispatches } = counting.take();
  expect(dispatches.filter(({ groups: [x, y] }) => x === 65_535 && y === 2).length).toBeGreaterThan(0);
  expect(dispatches.filter(({ groups }) => Math.max(...groups) > 65_535)).toEqual([]);
  run.dispose();
});
