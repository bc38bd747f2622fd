import { expect, test } from 'vitest';
import type { TrainedArm } from '../trainedArm.ts';
import { stepsTo } from './options.ts';

const stepsOf = stepsTo.of as unknown as (arm: TrainedArm, level: number, window: number) => number[];

test('steps of the world are counted up to the first window that is good enough', () => {
  const arm = {
    // of two seeds; an update that plays more than its batch is charged for it
    charged: [1000, 800, 500, 400].map((steps) => Float64Array.of(steps, 7)),
    curve: () => [0, 0.5, 1, 1],
    perSeed: (of: (seed: number) => number) => [of(0)],
  } as unknown as TrainedArm;
  expect(stepsOf(arm, 0.5, 1)).toEqual([1.8]);
  expect(stepsOf(arm, 0.75, 2)).toEqual([2.3]);
  expect(stepsOf(arm, 1, 3)).toEqual([Infinity]);
});
