import { expect, test } from 'vitest';
import type { Snapshot } from '../../worker/protocol.ts';
import { branchesOf, depthsOf, histogram } from './tree.ts';

/** Three episodes of one task and one of another, by the actions of their steps; the state is the past. */
const actions = [
  [1, 2, 3],
  [1, 2, 4, 4],
  [1, 5],
  [1, 2],
];
const T = 4;
const keys = (row: number[], t: number): number => row.slice(0, t).reduce((sum, a) => 10 * sum + a, 0);
const batch = {
  ...{ B: 4, T, length: Uint32Array.from(actions, (a) => a.length), taskIndex: Uint32Array.of(0, 0, 0, 1) },
  action: Uint32Array.from(actions.flatMap((a) => Array.from({ length: T }, (_, t) => a[t] ?? 0))),
  stateKey: Uint32Array.from(actions.flatMap((a) => Array.from({ length: T }, (_, t) => [0, keys(a, t)]).flat())),
} as unknown as Snapshot;

test('without forks an episode hangs below the earlier one with which it shares the most steps', () => {
  expect(branchesOf(batch, 0)).toEqual([
    { row: 0, parent: -1, step: 0, depth: 0 },
    { row: 2, parent: 0, step: 1, depth: 1 },
    { row: 1, parent: 0, step: 2, depth: 1 },
  ]);
  expect(branchesOf(batch, 1)).toEqual([{ row: 3, parent: -1, step: 0, depth: 0 }]);
});

test('forks hang where they were made, whatever they share by chance', () => {
  const forks = { parent: Int32Array.of(-1, -1, 1, -1), step: Uint32Array.of(0, 0, 1, 0), decisions: [] };
  expect(branchesOf({ ...batch, forks }, 0).map(({ row, depth }) => [row, depth])).toEqual([
    [0, 0],
    [1, 0],
    [2, 1],
  ]);
  expect(depthsOf({ ...batch, forks })).toEqual({ depths: [0.25], median: 0.25 });
});

test('ten bins from 0 to 1, both ends included', () => {
  expect(histogram([0, 0.09, 0.1, 0.5, 1])).toEqual([2, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
});
