import { expect, test } from 'vitest';
import { reachedIn } from '../contract/reached.ts';
import { tensorsOf } from '../contract/state.ts';
import { checkpointsOf } from '../envs/checkpoints.ts';
import { sampleRun, train } from './sampleRun.ts';
import { tasksAt } from './taskFeed.ts';

const SMALL = {
  ...{ 'task.grid.level': 'keyDoor', 'task.grid.maxSteps': 20, 'task.levels': 3, 'source.method': 'envGen' },
  ...{ 'policy.mlp.hidden': [8], 'rollout.tasksPerBatch': 6, 'rollout.groupSize': 5 },
  ...{ 'run.backend': 'cpu', 'run.seeds': 2, 'run.updates': 8, 'analysis.evalEvery': 0 },
};

test('what is told of checkpoints is what the episodes of each task passed, counted from their states', async () => {
  const run = await sampleRun(SMALL);
  const { whole: plan } = run;
  const { words } = plan.env;
  let [some, begun] = [0, 0];
  for (let u = 0; u < 6; u++) {
    const tasks = tasksAt(plan, (await run.checkpoint()).state);
    const record = await run.submit();
    for (let s = 0; s < plan.S; s++) {
      const { batch, state } = await run.backend.view(s);
      tasks.chosen![s]!.forEach(({ levelSeed, start }, p) => {
        const told = reachedIn(record.reached!, s * plan.P + p);
        const { names, reached } = checkpointsOf(plan.env, plan.level(levelSeed) as object);
        const rows = Array.from({ length: plan.B }, (_, i) => i).filter((i) => batch.taskIndex[i] === p);
        const counted = names.map((_, k) => {
          const isLast = k === names.length - 1;
          const passes = (i: number): boolean =>
            batch.success[i] === 1 ||
            (!isLast &&
              Array.from({ length: batch.length[i]! + 1 }, (__, t) =>
                reached(state, (i * (plan.T + 1) + t) * words),
              ).some((held) => held > k));
          return rows.filter(passes).length;
        });
        expect(told).toEqual(counted);
        if (told[0]! > 0) some++;
        if (start !== 'initial') begun++;
      });
    }
  }
  expect(some).toBeGreaterThan(10);
  expect(begun).toBeGreaterThan(10);
});

test('beside rounds that replace rows the source is told of those that it gave, and knows skills after a cycle', async () => {
  const run = await sampleRun({ ...SMALL, 'rollout.method': 'dynamicSampling' });
  const records = await train(run, 4);
  expect(records.every(({ reached }) => reached!.some((count) => count > 0))).toBe(true);
  const { known, rate } = tensorsOf((await run.checkpoint()).state.tensors, 'envGen');
  expect(known!.some((x) => x === 1)).toBe(true);
  expect(rate!.every((x) => x >= 0 && x <= 1)).toBe(true);
});
