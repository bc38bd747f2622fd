import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { must } from '../../core/problem.ts';
import { createRun, type Run } from '../run.ts';
import { gpuBackendOn } from './gpuBackend.ts';

const gpu = await testDevice();

const SMALL = {
  ...{ 'run.seeds': 2, 'run.updates': 3, 'task.grid.level': 'keyDoor', 'policy.mlp.hidden': [8] },
  ...{ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 4, 'task.grid.maxSteps': 12, 'analysis.evalEvery': 0 },
};

test('models of rewards learn and pay on a device what they do on the CPU, after a read-back', async () => {
  const changes = { ...SMALL, 'reward.heron.on': true, 'reward.heron.by': 'model', 'reward.mira.on': true };
  const twice = async (run: Run) => {
    await run.submit();
    await run.submit();
    const [{ batch }, { tensors }] = [await run.backend.view(1), await run.backend.save()];
    run.dispose();
    return { batch, tensors };
  };
  const device = await twice(must(await createRun(configWith(changes), gpuBackendOn(gpu))));
  const own = await twice(must(await createRun(configWith({ ...changes, 'run.backend': 'cpu' }))));
  // both drew the same actions
  expect(device.batch.action).toEqual(own.batch.action);
  expect(own.batch.reward.some((r) => Math.abs(r) > 1e-4)).toBe(true);
  for (let k = 0; k < own.batch.reward.length; k++)
    expect(Math.abs(device.batch.reward[k]! - own.batch.reward[k]!)).toBeLessThan(1e-6);
  expect(device.tensors['mira.weights']).toEqual(own.tensors['mira.weights']);
  expect(device.tensors['heron.rest']).toEqual(own.tensors['heron.rest']);
});
