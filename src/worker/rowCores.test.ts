import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { makePlan } from '../engine/plan.ts';
import { RowCores } from './rowCores.ts';

const planOf = (groupSize: number) =>
  must(
    makePlan(
      configWith({
        ...{ 'run.seeds': 1, 'rollout.tasksPerBatch': 2, 'rollout.groupSize': groupSize },
        ...{ 'task.grid.level': 'corridor', 'task.grid.n': 4, 'task.grid.maxSteps': 30 },
      }),
    ),
  );

test('a trial compares one core, half of those that a run may use, and all; a small run has one', () => {
  const cores = (most: number, groupSize: number) =>
    new RowCores(most, false, null).ways(planOf(groupSize)).map((way) => way.cores);
  expect(cores(7, 64)).toEqual([1, 4, 7]);
  expect(cores(3, 64)).toEqual([1, 2, 3]);
  expect(cores(7, 1)).toEqual([1]);
});
