import { expect, test } from 'vitest';
import { prepareTask } from '../config/level.ts';
import { checkRules } from '../config/rules.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { createRun } from './run.ts';
import { train } from './sampleRun.ts';

const TINY = {
  ...{ 'run.backend': 'cpu', 'run.seeds': 1, 'run.updates': 1, 'analysis.evalEvery': 0 },
  ...{ 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 2, 'policy.mlp.hidden': [2] },
};
const EMPTY = { 'task.grid.level': 'empty', 'task.grid.n': 32 };

test.each([
  ['65,536 episodes', { 'rollout.tasksPerBatch': 1024, 'rollout.groupSize': 64, 'task.grid.maxSteps': 5 }, 327_680],
  ['1,024 steps', { ...EMPTY, 'task.grid.maxSteps': 1024 }, 2048],
  ['64 seeds', { 'run.seeds': 64, 'task.grid.maxSteps': 4 }, 64 * 8],
  [
    'a transformer that reads 512 steps',
    {
      ...EMPTY,
      'task.grid.maxSteps': 600,
      'policy.method': 'gtrxl',
      'policy.gtrxl.memory': 448,
      'policy.gtrxl.segment': 64,
    },
    1200,
  ],
  ['a map of 32 × 32', { ...EMPTY, 'task.grid.maxSteps': 8 }, 16],
])('allowed, and trains: %s', async (_name, changes, steps) => {
  const config = configWith({ ...TINY, ...changes });
  await prepareTask(config);
  expect(checkRules(config).filter(({ severity }) => severity === 'error')).toEqual([]);
  const run = must(await createRun(config));
  const { S, B, T } = run.plan;
  expect(S * B * T).toBe(steps);
  await train(run, 1);
  const { state } = await run.checkpoint();
  expect(state.update).toBe(1);
  expect([...state.tensors['theta']!].every(Number.isFinite)).toBe(true);
  run.dispose();
});
