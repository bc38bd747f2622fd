import { expect, test } from 'vitest';
import { sampleRun, train } from './sampleRun.ts';

test.each(['grpo', 'gae', 'gigpo'])(
  'an update that keeps no group changes no weight and no moment: %s',
  async (method) => {
    // nobody comes that far in three steps, so all outcomes are 0
    const run = await sampleRun({
      'run.seeds': 2,
      'task.grid.level': 'corridor',
      'task.grid.n': 24,
      'task.grid.maxSteps': 3,
      'reward.grid.step': 0,
      'rollout.method': 'dynamicSampling',
      'rollout.dynamicSampling.maxRounds': 2,
      'advantage.method': method,
    });
    const before = await run.checkpoint();
    const records = await train(run, 2);
    for (const { bad } of records) expect([...bad]).toEqual([0, 0]);
    expect((await run.checkpoint()).state.tensors).toEqual(before.state.tensors);
  },
);
