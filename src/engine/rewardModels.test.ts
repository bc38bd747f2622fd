import { expect, test } from 'vitest';
import { replicasOf } from '../contract/state.ts';
import { sampleRun, train } from './sampleRun.ts';

const SMALL = {
  ...{ 'run.backend': 'cpu', 'run.seeds': 2, 'run.updates': 9, 'task.grid.level': 'keyDoor', 'task.levels': 2 },
  ...{ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 4, 'policy.mlp.hidden': [5], 'analysis.evalEvery': 0 },
  ...{ 'task.grid.maxSteps': 30, 'analysis.rewardModelError.on': true },
};
const MODELS = [
  ['mira', {}],
  ['spa', {}],
  ['heron', { 'reward.heron.by': 'model' }],
] as const;

test.each(MODELS)(
  'a run with the model of %s goes on after a pause, and each of its seeds alone, bit for bit',
  async (id, set) => {
    const changes = { ...SMALL, [`reward.${id}.on`]: true, ...set };
    const whole = await sampleRun(changes);
    await train(whole, 4);
    const want = await whole.backend.save();
    const first = await sampleRun(changes);
    await train(first, 2);
    const second = await sampleRun(changes);
    await second.restore({ state: await first.backend.save(), chain: [] });
    await train(second, 2);
    const resumed = await second.backend.save();
    for (const [name, values] of Object.entries(want.tensors)) expect(resumed.tensors[name], name).toEqual(values);
    const alone = await sampleRun({ ...changes, 'run.seeds': 1, 'run.seed': 2 });
    await train(alone, 4);
    const own = await alone.backend.save();
    for (const [name, values] of Object.entries(replicasOf(want, 2, 1, 1).tensors))
      expect(own.tensors[name], name).toEqual(values);
    expect(want.tensors[`${id}.steps`]![0]).toBeGreaterThan(0);
  },
);

test('the record and success stay those of the world; the error of the model has a curve', async () => {
  const run = await sampleRun({ ...SMALL, 'reward.spa.on': true });
  const records = await train(run, 12);
  const errors = records.map(({ chosen }) => chosen!['rewardModelError']![0]!);
  expect(errors.every(Number.isFinite)).toBe(true);
  expect(new Set(errors).size).toBeGreaterThan(6);
  const { world, batch } = await run.backend.view(0);
  expect([...batch.reward]).not.toEqual([...world!.reward]);
  for (let i = 0; i < batch.B; i++) {
    const sum = world!.reward.subarray(i * batch.T, i * batch.T + batch.length[i]!).reduce((a, b) => a + b, 0);
    expect(sum).toBeCloseTo(batch.success[i]!, 6);
  }
});
