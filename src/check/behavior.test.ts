import { expect, test } from 'vitest';
import { checkStalenessCase } from './behavior.ts';

test('a golden case of versions and capacities agrees, and a wrong number is found', () => {
  const golden = {
    ...{ name: 'lag 3', kind: 'staleness', params: { lag: 3, updates: 10, maxStaleness: 2, consumerBatch: 24 } },
    inputs: {
      ...{ version: [2, 15, 11, 8, 14, 8], accepted: [84, 202, 49, 221, 261, 128] },
      ...{ running: [26, 22, 8, 25, 9, 34], concurrency: [26, 29, 27, 58, 44, 61] },
    },
    expected: { behaviourVersion: [0, 0, 0, 0, 1, 2, 3, 4, 5, 6], capacity: [0, 7, 19, 18, 35, 27] },
  };
  expect(checkStalenessCase(golden).map((c) => c.passed)).toEqual([true, true]);
  const wrong = { ...golden, expected: { capacity: [0, 7, 19, 18, 35, 28], other: [1] } };
  expect(checkStalenessCase(wrong).map((c) => [c.built, c.passed])).toEqual([
    [true, false],
    [false, false],
  ]);
});
