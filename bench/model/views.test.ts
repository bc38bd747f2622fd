import { expect, test } from 'vitest';
import { prepareTask } from '../../src/config/level.ts';
import { presets } from '../../src/config/presets.ts';
import { configWith } from '../../src/config/schema.ts';
import { must } from '../../src/core/problem.ts';
import { gpuBackendOn } from '../../src/engine/gpu/gpuBackend.ts';
import { createRun } from '../../src/engine/run.ts';
import { Gpu } from '../../src/gpu/device.ts';
import { CountingDevice } from './countingDevice.ts';

const counting = new CountingDevice();

const changesOf = (id: string) => presets.find((preset) => preset.id === id)!.changes;

test.each([
  ['the default experiment', {}],
  [
    'a critic, a reference, rewards on the device, returns normalized',
    {
      ...{ 'advantage.method': 'gae', 'objective.klCoef': 0.1, 'objective.klIn': 'reward' },
      ...{ 'reward.countBonus.on': true, 'reward.normalize': true },
    },
  ],
  ['actions that are written', { 'policy.method': 'transformer', 'task.method': 'textmaze' }],
  [
    'a survey, rewards on the CPU',
    { 'objective.method': 'vcpo', 'objective.topEntropy': 0.6, 'reward.ladder.on': true, 'reward.ladder.rise': 3 },
  ],
  ['marks of several versions', { 'objective.method': 'hispo', 'rollout.staleness': 4, 'rollout.ages': 'interrupted' }],
  // a device that only counts grows no trees: the CPU decides about these forks
  ['rows that go on from others', { ...changesOf('maze-arpo'), 'rollout.arpo.eligible': 'newInformation' }],
  ['a restriction', { 'objective.method': 'nlpo' }],
])('a view and a checkpoint come back in one submission each, into memory that is kept: %s', async (_name, changes) => {
  const config = configWith({ ...changes, 'analysis.evalEvery': 0, 'run.seeds': 2, 'rollout.tasksPerBatch': 2 });
  const gpu = new Gpu(counting.device, 'counting', false);
  await prepareTask(config);
  const run = must(await counting.timed(() => createRun(config, gpuBackendOn(gpu))));
  await run.submit();
  await run.backend.view(0);
  await run.checkpoint();
  const make = gpu.buffer.bind(gpu);
  let made = 0;
  gpu.buffer = (...asked) => (made++, make(...asked));
  for (const show of [() => run.backend.view(0), () => run.backend.view(1), () => run.checkpoint()]) {
    counting.take();
    await show();
    const { submissions, reads } = counting.take();
    expect({ submissions, reads, made }).toEqual({ submissions: 1, reads: 1, made: 0 });
  }
  gpu.buffer = make;
  run.dispose();
  expect([...gpu.bytes]).toEqual([]);
});
