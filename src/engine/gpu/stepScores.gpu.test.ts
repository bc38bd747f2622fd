import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { createRun } from '../run.ts';
import { sampleRun } from '../sampleRun.ts';
import { makeArrays } from '../arrays.ts';
import { CpuStepScores } from '../cpu/stepScores.ts';
import { makeTasks } from '../plan.ts';
import { trainAlike } from '../../check/sideBySide.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { gpuBackendOn } from './gpuBackend.ts';

const gpu = await testDevice();

const SMALL = {
  ...{ 'run.seeds': 2, 'run.updates': 3, 'task.grid.level': 'keyDoor', 'advantage.method': 'dual' },
  ...{ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 4, 'policy.mlp.hidden': [8], 'task.grid.maxSteps': 20 },
  'analysis.evalEvery': 0,
};

// no device finds a state that has a simpler form among those that are listed
test.each([
  ['exact', { 'task.thoughts.on': true }],
  ['simulated', {}],
  ['distance', {}],
])(
  'a run on WebGPU scores its steps as the definition does with its own states and weights: %s',
  async (score, changes) => {
    const config = configWith({ ...SMALL, ...changes, 'advantage.dual.score': score });
    const run = must(await createRun(config, gpuBackendOn(gpu)));
    expect(run.backend.depth).toBe(1);
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

test.each([
  ['an MLP, gains and outcomes together', { 'policy.method': 'mlp' }],
  ['gains and outcomes apart', { 'advantage.igpo.credit': 'separate', 'advantage.igpo.gamma': 0.9 }],
  ['a transformer, by the step', { 'policy.method': 'transformer', 'advantage.igpo.credit': 'stepMean' }],
])(
  'what the policy would answer, and IGPO of it, stay on the device and are those of the CPU path: %s',
  async (_, changes) => {
    const tiny = { 'policy.transformer.width': 16, 'policy.transformer.heads': '2', 'policy.transformer.layers': 1 };
    const asks = { ...SMALL, ...tiny, 'task.question.on': true, 'advantage.method': 'igpo', ...changes };
    const [onGpu, onCpu] = [await sampleRun(asks, gpuBackendOn(gpu)), await sampleRun(asks)];
    expect(onGpu.backend.depth).toBe(2);
    await trainAlike(onGpu, onCpu, 2, ['creditRms', 'returnMean', 'gradNorm']);
    for (const s of [0, 1]) {
      const [mine, theirs] = [await onGpu.backend.view(s), await onCpu.backend.view(s)];
      const p = theirs.batch.answerProb!;
      expect(p.some((x) => x > 0 && x < 1)).toBe(true);
      // probabilities of both paths, and one division of the device
      p.forEach((x, k) => expect(Math.abs(mine.batch.answerProb![k]! - x)).toBeLessThan(1e-5));
      theirs.A.forEach((x, k) => expect(Math.abs(mine.A[k]! - x)).toBeLessThan(1e-3));
      expect(theirs.A.some((x) => x !== 0)).toBe(true);
    }
    onGpu.dispose();
  },
);

test('where notes may be due, what the policy would answer is told by the CPU, as by the definition', async () => {
  const asks = { 'task.question.on': true, 'task.notes.on': true, 'advantage.method': 'igpo' };
  const run = must(await createRun(configWith({ ...SMALL, ...asks }), gpuBackendOn(gpu)));
  expect(run.plan.estimator.gpu).toBeUndefined();
  await run.submit();
  await run.submit();
  const { batch, probs, theta, state } = await run.backend.view(1);
  const { plan } = run;
  const arrays = makeArrays({ ...plan, S: 1 });
  for (const name of ['length', 'success', 'terminated'] as const) arrays[name].set(batch[name]);
  arrays.probs.set(probs);
  arrays.state.set(state);
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
});

test.each([
  ['beside rewards that the device pays', { 'reward.refusals.on': true }],
  ['without any, new by action', { 'advantage.rlvmr.news': 'action', 'advantage.rlvmr.mode': 'mean' }],
  ['beside rewards that the CPU pays', { 'reward.newStates.on': true, 'advantage.rlvmr.outcomes': false }],
])(
  'credit of tags on WebGPU is made of signals of the device, with nothing read back for it: %s',
  async (_, changes) => {
    const tagged = { ...SMALL, 'task.thoughts.on': true, 'advantage.method': 'rlvmr', ...changes };
    const [onGpu, onCpu] = [await sampleRun(tagged, gpuBackendOn(gpu)), await sampleRun(tagged)];
    expect(onGpu.backend.depth).toBe('reward.newStates.on' in changes ? 1 : 2);
    await trainAlike(onGpu, onCpu, 3, ['creditRms', 'returnMean', 'gradNorm']);
    for (const s of [0, 1]) {
      const [mine, theirs] = [await onGpu.backend.view(s), await onCpu.backend.view(s)];
      for (const name of ['tag', 'did', 'invalid', 'novel'] as const)
        expect(mine.batch[name], name).toEqual(theirs.batch[name]);
      expect(theirs.parts['step']!.some((x) => x !== 0)).toBe(true);
      for (const name of ['episode', 'step'] as const)
        theirs.parts[name]!.forEach((x, k) => expect(Math.abs(mine.parts[name]![k]! - x)).toBeLessThan(1e-4));
      theirs.A.forEach((x, k) => expect(Math.abs(mine.A[k]! - x)).toBeLessThan(1e-4));
    }
    onGpu.dispose();
  },
);
