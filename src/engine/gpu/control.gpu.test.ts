import { replicasOf, thetaOf } from '../../contract/state.ts';
import { expect, test } from 'vitest';
import { testDevice } from '../../gpu/testDevice.ts';
import { Profiler } from '../../gpu/profiler.ts';
import { METRICS, metricIndex, type MetricId } from '../../slots/metrics/metrics.ts';
import { Run } from '../run.ts';
import { gpuBackendOn } from './gpuBackend.ts';
import { train } from '../sampleRun.ts';
import { openSmall, trainAlike } from '../../check/sideBySide.ts';

const gpu = await testDevice();

const transformer = {
  'policy.method': 'transformer',
  'policy.transformer.width': 8,
  'policy.transformer.hidden': 12,
  'policy.transformer.layers': 1,
};
// every episode is paid for its length, so that all groups move the policy
const base = { 'reward.grid.step': -7, 'advantage.method': 'gae', 'optimizer.learningRate': 0.02 };
const corridor = { ...base, 'task.grid.level': 'corridor', 'task.grid.n': 4, 'advantage.method': 'grpo' };
const stop = {
  'control.klStop.on': true,
  'control.klStop.limit': 0.002,
  'objective.epochs': 4,
  'objective.minibatches': 2,
};
const target = {
  'objective.klCoef': 0.05,
  'control.adaptiveKl.on': true,
  'control.adaptiveKl.target': 0.001,
  'control.adaptiveKl.horizon': 20,
};
const entropy = {
  'control.entropyTarget.on': true,
  'control.entropyTarget.target': 1.3,
  'control.entropyTarget.gain': 0.1,
};
const reset = { 'objective.klCoef': 0.1, 'control.resetEvery.on': true, 'control.resetEvery.updates': 2 };
const safe = { 'control.safe.on': true };
// steps that follow the gradient itself: Adam's would enlarge its last digits
const preview = {
  ...{ 'control.stepPreview.on': true, 'objective.minibatches': 2 },
  ...{ 'optimizer.method': 'sgd', 'optimizer.learningRate': 16 },
};
const gentle = { 'optimizer.learningRate': 5 };
const cut = { 'revise.clipCredit.on': true, 'revise.clipCredit.bound': 0.4 };
const rounded = { 'rollout.rolloutPrecision': 'f16', 'rollout.unifiedPrecision': true };
const pay = { 'objective.klIn': 'reward', 'objective.klCoef': 0.3 };

// 130 trajectories: more than one workgroup adds up
const many = {
  ...{ ...corridor, ...pay, ...preview, ...gentle, 'rollout.tasksPerBatch': 26 },
  ...{ 'revise.virtualTarget.on': true, 'reward.normalize': true },
};

const COMPARED: readonly MetricId[] = [
  ...(['success', 'evalSuccess', 'returnMean', 'entropy', 'ess', 'approxKL', 'gradNorm', 'policyLoss'] as const),
  ...(['updateNorm', 'gradTurn', 'klRef', 'klCoef', 'entropyCoef', 'resets', 'creditRms', 'creditMean'] as const),
  ...(['stepKept', 'klShort', 'safeThreshold', 'safePhase', 'safePenalty'] as const),
];

test.each([
  ['the reference is reset', reset, 5],
  ['the KL weight follows a target', target, 4],
  ['the entropy bonus follows a target', entropy, 4],
  ['SAFE', { ...safe, 'optimizer.learningRate': 0.1 }, 4],
  ['KL stop', stop, 3],
  ['step preview', preview, 1],
  ['step preview of weights that are rounded', { ...preview, ...rounded }, 1],
  [
    'step preview, stop, pay',
    { ...stop, ...pay, ...preview, ...gentle, 'control.klStop.on': true, 'control.klStop.limit': 0.2 },
    2,
  ],
  ['KL in the reward', { ...pay, 'advantage.method': 'grpo' }, 4],
  ['KL in the reward, adaptive, with a critic', { ...pay, ...target }, 4],
  ['all that follows', { ...target, ...entropy, ...stop, ...reset }, 4],
  ['a surveyed objective that stops', { ...stop, ...target, 'objective.method': 'klCov' }, 2],
  ['negative credit scaled, then cut', { ...corridor, 'revise.softerBlame.on': true, ...cut }, 3],
  ['a virtual target', { ...corridor, 'revise.virtualTarget.on': true, 'revise.matchSize.on': true }, 3],
  ['both revisions', { ...corridor, 'revise.virtualTarget.on': true, 'revise.softerBlame.on': true }, 3],
  ['step preview, pay, virtual target, normalized returns of many', many, 1],
  ['a surveyed objective with a step preview', { ...preview, 'objective.method': 'gspo' }, 1],
  ['commands: step preview, SAFE', { ...transformer, ...safe, ...preview, ...gentle }, 2],
  ['commands: KL stop', { ...transformer, ...stop }, 3],
  ['commands: KL in the reward', { ...transformer, ...pay }, 3],
  ['commands: SAFE and resets', { ...transformer, ...safe, ...reset, 'objective.klCoef': 0 }, 3],
] as const)('the GPU agrees with the CPU: %s', async (_, changes, updates) => {
  const config = { ...base, ...changes };
  const onGpu = await openSmall(config, gpu);
  const onCpu = await openSmall(config);
  expect(onGpu.backend.kind).toBe('webgpu');
  await trainAlike(onGpu, onCpu, updates, COMPARED);
  const [mine, theirs] = [await onGpu.backend.save(), await onCpu.backend.save()];
  thetaOf(theirs).forEach((w, k) => expect(Math.abs(thetaOf(mine)[k]! - w)).toBeLessThan(1e-4));
  expect(mine.tensors['control.taken']).toEqual(theirs.tensors['control.taken']);
  // a stop is one, a revision or a cut changes something
  const { control, revisions, epochs, minibatches } = onCpu.plan;
  if (control.stopsAt !== null)
    expect(Math.min(...theirs.tensors['control.taken'])).toBeLessThan(updates * epochs * minibatches);
  if (revisions.length > 0 || control.cutsAt !== null) {
    const off = {
      'revise.virtualTarget.on': false,
      'revise.clipCredit.on': false,
      'revise.softerBlame.on': false,
      'control.stepPreview.on': false,
    };
    const plain = await openSmall({ ...config, ...off });
    await train(plain, updates);
    expect(thetaOf(await plain.backend.save())).not.toEqual(thetaOf(theirs));
  }
  onGpu.dispose();
});

test('KL in the reward that nobody pays is not measured, as on the CPU', async () => {
  const config = { ...base, ...pay, 'objective.klCoef': 0 };
  const run = await openSmall(config, gpu);
  await trainAlike(run, await openSmall(config), 2, COMPARED);
  run.dispose();
});

const everything = { ...base, ...target, ...entropy, ...stop, ...reset };
test.each([
  ['controllers, stop and resets', everything],
  ['step preview', { ...base, ...preview }],
  ['step preview, pay, virtual target, normalized returns of many', many],
  ['SAFE on commands', { ...base, ...transformer, ...safe }],
  [
    'KL in the reward and revised credit',
    { ...corridor, ...pay, 'revise.softerBlame.on': true, 'revise.virtualTarget.on': true },
  ],
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

test('only runs whose coefficients follow measurements wait; their dispatches are those of any other run', async () => {
  const of = async (changes: Record<string, unknown>): Promise<{ depth: number; dispatches: string[] }> => {
    const run = await openSmall({ ...base, 'objective.klCoef': 0.05, ...changes }, gpu);
    const profiler = new Profiler(gpu, 'repeats');
    gpu.profiler = profiler;
    await run.submit();
    gpu.profiler = null;
    run.dispose();
    const names = profiler.timed.map(({ list, kernel }) => `${list} ${kernel}`);
    // how many steps of a rollout are one dispatch is up to the pace
    const isAgain = (name: string, k: number): boolean => /rollout/i.test(name) && name === names[k - 1];
    return { depth: run.backend.depth, dispatches: names.filter((name, k) => !isAgain(name, k)) };
  };
  const plain = await of({});
  expect(plain.depth).toBe(2);
  expect(plain.dispatches.some((name) => name.includes('stopAbove'))).toBe(false);
  expect(await of({ ...target, ...entropy, ...reset })).toEqual({ depth: 1, dispatches: plain.dispatches });
  const stopped = (await of(stop)).dispatches.filter((name) => name.includes('stopAbove'));
  // eight looks, of which the first cannot be one of a stopped replica
  expect(stopped.length).toBe(8 + 8 + 7);
});
