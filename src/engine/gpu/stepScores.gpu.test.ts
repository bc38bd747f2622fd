import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { createRun } from '../run.ts';
import { makeArrays } from '../arrays.ts';
import { CpuStepScores } from '../cpu/stepScores.ts';
import { makeTasks } from '../plan.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { gpuBackendOn } from './gpuBackend.ts';

const gpu = await testDevice();

const SMALL = {
  ...{ 'run.seeds': 2, 'run.updates': 3, 'task.grid.level': 'keyDoor', 'advantage.method': 'dual' },
  ...{ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 4, 'policy.mlp.hidden': [8], 'task.grid.maxSteps': 20 },
  'analysis.evalEvery': 0,
};

test.each(['exact', 'simulated', 'distance'])(
  'a run on WebGPU scores its steps as the definition does with its own states and weights: %s',
  async (score) => {
    const run = must(await createRun(configWith({ ...SMALL, 'advantage.dual.score': score }), gpuBackendOn(gpu)));
    await run.submit();
    await run.submit();
    const view = await run.backend.view(1);
    const { plan } = run;
    const { batch, state, theta } = view;
    const arrays = makeArrays({ ...plan, S: 1 });
    for (const name of ['length', 'action', 'phi'] as const) if (batch[name]) arrays[name].set(batch[name] as never);
    arrays.reward.set(view.world?.reward ?? batch.reward);
    arrays.state.set(state);
    const all = makeTasks(plan, 1, 'train');
    const own = { ...all, levelOf: all.levelOf.subarray(plan.B, 2 * plan.B) };
    CpuStepScores.of({ ...plan, S: 1, seeds: plan.seeds.subarray(1) })!.fill(arrays, own, theta, 0);
    expect(batch.processScore!.some((x) => x !== 0)).toBe(true);
    expect(batch.processScore).toEqual(arrays.processScore);
    run.dispose();
  },
);
