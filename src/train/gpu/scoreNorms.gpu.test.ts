import { expect, test } from 'vitest';
import { testDevice } from '../../gpu/testDevice.ts';
import { vcpo } from '../../methods/objective/vcpo.ts';
import type { Objective } from '../../methods/types.ts';
import type { MakeBackend } from '../backend.ts';
import { makeCpuBackend } from '../cpu/cpuBackend.ts';
import { Run } from '../run.ts';
import { train } from '../sampleRun.ts';
import { gpuBackendOn } from './gpuBackend.ts';
import { openSmall, trainAlike } from './sideBySide.ts';

const gpu = await testDevice();

const vcpoOnLast = {
  ...{ 'objective.method': 'vcpo', 'objective.vcpo.scoreNorm': 'lastLayer', 'advantage.method': 'gae' },
  ...{ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 3, 'objective.minibatches': 2 },
};
const words = {
  ...{ 'policy.method': 'transformer', 'policy.transformer.width': 8, 'policy.transformer.hidden': 12 },
  ...{ 'policy.transformer.layers': 2, 'task.method': 'textmaze', 'task.textmaze.maxSteps': 5 },
  'reward.textmaze.step': -7,
};
// every episode is paid for its length, so that the baseline of a group depends on the lengths of its scores
const paid = { 'reward.grid.step': -7, 'policy.mlp.hidden': [13, 9], 'rollout.temperature': 0.7 };

test.each<readonly [string, Record<string, unknown>]>([
  ['an MLP', paid],
  ['a layer wider than one piece', { ...paid, 'policy.mlp.hidden': [5, 260] }],
  ['a table', { ...paid, 'policy.method': 'tabular' }],
  ['words', words],
  ['tied words', { ...words, 'policy.transformer.tied': true }],
])('lengths of scores by the last layer are those of the CPU, in every look at every replica: %s', async (_, kind) => {
  const { plan } = await openSmall({ ...vcpoOnLast, ...kind });
  const watched = async (make: MakeBackend): Promise<number[][]> => {
    const norms: number[][] = [];
    const survey: Objective['survey'] = (set, params, mark) => {
      norms.push([...set.scoreNorms([...new Set(set.trajectory)])]);
      return vcpo.survey!(set, params as never, mark);
    };
    const run = await Run.create({ ...plan, objective: { ...vcpo, survey } as Objective }, make);
    await train(run, 1);
    run.dispose();
    return norms;
  };
  const [mine, theirs] = [await watched(gpuBackendOn(gpu)), await watched(makeCpuBackend)];
  // 2 epochs of 2 minibatches and the end; the CPU takes one of 2 replicas after the other
  expect(mine.map((norms) => norms.length)).toEqual([3, 3, 3, 3, 3, 3, 3, 3, 6, 6]);
  for (const [k, got] of mine.entries()) {
    const want = theirs[5 * (k % 2) + Math.floor(k / 2)]!;
    want.forEach((x, i) => expect(Math.abs(got[i]! - x), `${got[i]} against ${x}`).toBeLessThan(1e-3 * x));
  }
});

test.each<readonly [string, Record<string, unknown>]>([
  ['steps', { ...paid, 'rollout.staleness': 2 }],
  ['words', { ...words, 'rollout.staleness': 2 }],
])('VCPO with the last layer trains on the GPU as on the CPU: %s', async (_, kind) => {
  const changes = { ...vcpoOnLast, ...kind };
  const onGpu = await openSmall(changes, gpu);
  const onCpu = await openSmall(changes);
  expect(onGpu.backend.kind).toBe('webgpu');
  await trainAlike(onGpu, onCpu, 3, ['success', 'entropy', 'ess', 'approxKL', 'gradNorm', 'policyLoss', 'updateNorm']);
  onGpu.dispose();
});
