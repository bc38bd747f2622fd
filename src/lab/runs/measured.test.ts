import { expect, test } from 'vitest';
import { Gathering } from './measured.ts';

const rows = (values: readonly number[], steps: readonly number[]) => ({
  values: Float32Array.from(values),
  steps: Float64Array.from(steps),
});

test('one column of one seed, without what was not measured, over parts that follow each other', () => {
  const after = new Gathering(1, false);
  // two seeds with two metrics: the second of each
  after.take(rows([9, 9, 9, 1, 9, 9, 9, NaN], [10, 20]), 2, 2, 1);
  after.take(rows([9, 3, 9, 4], [30, 40]), 2);
  expect(after.found).toEqual({
    updates: Uint32Array.of(1, 3, 4),
    steps: Float64Array.of(10, 30, 40),
    values: Float32Array.of(1, 3, 4),
  });
});

test('what is measured on the policy before an update stands before its steps; a part that is gone takes none', () => {
  const before = new Gathering(0, true);
  before.take(rows([1, 2], [10, 20]), 1);
  before.skip(3);
  before.take(rows([6, 7], [30, 40]), 1);
  expect(before.found).toEqual({
    updates: Uint32Array.of(0, 1, 5, 6),
    steps: Float64Array.of(0, 10, 20, 30),
    values: Float32Array.of(1, 2, 6, 7),
  });
});
