import { thetaOf } from '../../contract/state.ts';
import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import type { Gpu } from '../../gpu/device.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { METRICS, metrics } from '../../slots/metrics/metrics.ts';
import type { UpdateRecord } from '../backend.ts';
import { createRun, type Run } from '../run.ts';
import { initialState } from '../state.ts';
import { gpuBackendOn } from './gpuBackend.ts';
import { train } from '../sampleRun.ts';

const gpu = await testDevice();

/** A lake on which about every tenth stroll succeeds: groups hold successes and failures from the first update on. */
const lake = {
  'task.grid.level': 'frozenLake4',
  'task.grid.maxSteps': 12,
  'rollout.tasksPerBatch': 3,
  'rollout.groupSize': 12,
  'run.seeds': 2,
  'run.updates': 30,
  'policy.mlp.hidden': [13],
};
const words = {
  'policy.method': 'transformer',
  'policy.transformer.width': 8,
  'policy.transformer.hidden': 8,
  'policy.transformer.layers': 1,
};

async function open(changes: Record<string, unknown>, on?: Gpu): Promise<Run> {
  return must(await createRun(configWith({ ...lake, ...changes }), on && gpuBackendOn(on)));
}

/** Every index at which two arrays differ by more than abs + rel·|want|, as a sentence about the first one. */
function differ(
  name: string,
  got: ArrayLike<number>,
  want: ArrayLike<number>,
  abs: number,
  rel: number,
): string | null {
  if (got.length !== want.length) return `${name}: ${got.length} numbers instead of ${want.length}`;
  for (let k = 0; k < want.length; k++) {
    if (Number.isNaN(want[k]) && Number.isNaN(got[k])) continue;
    if (!(Math.abs(got[k]! - want[k]!) <= abs + rel * Math.abs(want[k]!)))
      return `${name}[${k}]: ${got[k]} against ${want[k]}`;
  }
  return null;
}

const WAYS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['OPRL', { 'advantage.method': 'oprl' }],
  [
    'OPRL from GRPO, means, SGD, tight norm limit, temperature',
    {
      'advantage.method': 'oprl',
      'advantage.oprl.base': 'grpo',
      'advantage.oprl.score': 'mean',
      'advantage.oprl.clip': 0.001,
      'advantage.oprl.rate': 7,
      'optimizer.method': 'sgd',
      'rollout.temperature': 0.7,
      'objective.epochs': 2,
      'objective.minibatches': 3,
      'objective.klCoef': 0.1,
    },
  ],
  ['OPRL with commands', { ...words, 'advantage.method': 'oprl', 'advantage.oprl.beta': 0.5, 'rollout.groupSize': 24 }],
  ['ReMax', { 'advantage.method': 'remax' }],
  [
    'ReMax, from the step on, one draw for all',
    { 'advantage.method': 'remax', 'advantage.remax.form': 'toGo', 'rollout.commonNoise': true },
  ],
  ['ReMax with commands', { ...words, 'advantage.method': 'remax', 'rollout.groupSize': 24 }],
  [
    'LOOP, entropy bonus, epochs and minibatches',
    {
      'advantage.method': 'loop',
      'objective.entropyCoef': 0.05,
      'objective.epochs': 2,
      'objective.minibatches': 3,
    },
  ],
  [
    'LOOP, a constant average that counts what is left out, plain steps',
    {
      'advantage.method': 'loop',
      'objective.aggregate': 'constant',
      'objective.maskedRows': 'count',
      'objective.minibatches': 2,
      'optimizer.method': 'sgd',
      'optimizer.clipNorm': 0,
      'optimizer.learningRate': 1,
    },
  ],
  [
    'LOOP, leave none out and divided, which is computed on the CPU',
    { 'advantage.method': 'loop', 'advantage.loop.baseline': 'all', 'advantage.loop.divide': true },
  ],
  ['GRPO, cut episodes left out', { 'advantage.method': 'grpo', 'advantage.cutRows': 'filter' }],
  [
    'LOOP, cut episodes left out too, minibatches',
    { 'advantage.method': 'loop', 'advantage.cutRows': 'filter', 'objective.minibatches': 2 },
  ],
  [
    'GiGPO, cut episodes left out, also of statistics',
    { 'advantage.cutRows': 'filter', 'advantage.keepInStatistics': false },
  ],
  [
    'a teacher of subgoals, and pay for them',
    { 'advantage.method': 'grpo', 'reward.beacons.on': true, 'task.teacher.on': true, 'task.teacher.shows': 'both' },
  ],
  [
    'HBPO, budgets in the observation',
    { 'advantage.method': 'hbpo', 'reward.hbpo.on': true, 'task.stepBudget.on': true, 'reward.hbpo.clamp': true },
  ],
  [
    'SALT with history',
    { 'advantage.method': 'salt', 'advantage.salt.history': 3, 'advantage.salt.count': 'trajectory' },
  ],
  [
    'HGPO with an episode level',
    { 'advantage.method': 'hgpo', 'advantage.hgpo.K': 4, 'advantage.hgpo.episode': 'level' },
  ],
];

// As in gpuBackend.gpu.test.ts: both paths draw the same numbers and differ by rounding only.
test.each(WAYS)(
  'three updates on the GPU agree with the CPU, in the batch and in what is learned: %s',
  async (_name, changes) => {
    const onGpu = await open(changes, gpu);
    const onCpu = await open(changes);
    const a = await train(onGpu, 3);
    const b = await train(onCpu, 3);
    for (let u = 0; u < 3; u++) {
      expect([...a[u]!.bad]).toEqual([0, 0]);
      expect([...a[u]!.hash], `actions of update ${u}`).toEqual([...b[u]!.hash]);
      expect(a[u]!.envSteps).toBe(b[u]!.envSteps);
      for (let s = 0; s < 2; s++) {
        const of = (record: UpdateRecord): Float64Array => record.metrics.subarray(s * METRICS, (s + 1) * METRICS);
        metrics.slice(0, METRICS).forEach(({ id }, k) => {
          expect(differ(`${id}, update ${u}, seed ${s}`, [of(a[u]!)[k]!], [of(b[u]!)[k]!], 2e-5, 5e-4)).toBeNull();
        });
      }
    }
    const mine = await onGpu.backend.view(1);
    const theirs = await onCpu.backend.view(1);
    expect(differ('A', mine.A, theirs.A, 2e-4, 2e-3)).toBeNull();
    for (const name of ['logpPhi', 'greedyReturn'] as const) {
      expect(mine.batch[name] === undefined).toBe(theirs.batch[name] === undefined);
      if (theirs.batch[name]) expect(differ(name, mine.batch[name]!, theirs.batch[name], 1e-5, 1e-4)).toBeNull();
    }
    const [left, right] = [await onGpu.backend.save(), await onCpu.backend.save()];
    expect(left.tensors['process.steps']).toEqual(right.tensors['process.steps']);
    // a step is at most 0.003 (φ: 0.006) long; what Adam divides by is far above rounding here
    expect(thetaOf(right), 'something was learned').not.toEqual(thetaOf(initialState(onCpu.plan)));
    expect(differ('theta', thetaOf(left), thetaOf(right), 1e-5, 0)).toBeNull();
    if ('process.phi' in right.tensors) {
      expect(Math.max(...right.tensors['process.steps']), 'there were pairs').toBeGreaterThan(0);
      expect(differ('phi', left.tensors['process.phi'], right.tensors['process.phi'], 1e-5, 0)).toBeNull();
    }
    onGpu.dispose();
  },
);

test('the process model goes through a pause, or with two updates in flight: same digest, same numbers', async () => {
  const straight = await open({ 'advantage.method': 'oprl' }, gpu);
  for (let u = 0; u < 6; u += 2) await Promise.all([straight.submit(), straight.submit()]);
  const first = await open({ 'advantage.method': 'oprl' }, gpu);
  await train(first, 3);
  const saved = await first.checkpoint();
  await first.restore(saved, gpuBackendOn(gpu));
  await train(first, 3);
  expect(await first.digest()).toEqual(await straight.digest());
  expect(await first.backend.save()).toEqual(await straight.backend.save());
  straight.dispose();
  first.dispose();
});

test('in the first update on the GPU the credit of OPRL is its base: φ is still the policy, rounding is not blown up', async () => {
  const [oprl, rloo] = await Promise.all(['oprl', 'rloo'].map((id) => open({ 'advantage.method': id }, gpu)));
  await oprl!.submit();
  await rloo!.submit();
  expect((await oprl!.backend.view(0)).A).toEqual((await rloo!.backend.view(0)).A);
  oprl!.dispose();
  rloo!.dispose();
});
