import { expect, test } from 'vitest';
import { testDevice } from '../../gpu/testDevice.ts';
import { openSmall, scoreLengthsAlike, trainAlike } from '../../check/sideBySide.ts';

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
  await scoreLengthsAlike(plan, gpu);
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
