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

test.each(['mlp', 'transformer'])(
  'a run on WebGPU knows what its policy would answer as the definition does: %s',
  async (method) => {
    const asks = { 'task.question.on': true, 'advantage.method': 'igpo', 'policy.method': method };
    const tiny = { 'policy.transformer.width': 16, 'policy.transformer.heads': '2', 'policy.transformer.layers': 1 };
    const run = must(await createRun(configWith({ ...SMALL, ...tiny, ...asks }), gpuBackendOn(gpu)));
    await run.submit();
    await run.submit();
    const { batch, probs, theta } = await run.backend.view(1);
    const { plan } = run;
    const arrays = makeArrays({ ...plan, S: 1 });
    for (const name of ['length', 'success', 'terminated'] as const) arrays[name].set(batch[name]);
    arrays.probs.set(probs);
    const all = makeTasks(plan, 1, 'train');
    const own = {
      ...all,
      levelOf: all.levelOf.subarray(plan.B, 2 * plan.B),
      episodeSeed: all.episodeSeed.subarray(plan.B, 2 * plan.B),
    };
    CpuStepScores.of({ ...plan, S: 1, seeds: plan.seeds.subarray(1) })!.fill(arrays, own, theta, 0);
    expect(batch.answerProb!.some((x) => x > 0 && x < 1)).toBe(true);
    expect(batch.answerProb).toEqual(arrays.answerProb);
    run.dispose();
  },
);

test('a run on WebGPU trains on the credit of tags that it computes on the CPU', async () => {
  const tagged = { 'task.thoughts.on': true, 'advantage.method': 'rlvmr', 'reward.refusals.on': true };
  const run = must(await createRun(configWith({ ...SMALL, ...tagged }), gpuBackendOn(gpu)));
  await run.submit();
  const { batch, A, parts } = await run.backend.view(0);
  const want = run.plan.estimator.run(batch, run.plan.estimatorParams);
  expect(parts['step']!.some((x) => x !== 0)).toBe(true);
  expect(A).toEqual(want.A);
  run.dispose();
});
