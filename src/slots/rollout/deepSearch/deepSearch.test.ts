import { expect, test } from 'vitest';
import type { RowContext, RowsSeen } from '../types.ts';
import { deepSearch } from './deepSearch.ts';
import { backedUp, grownTree, SearchTree, type SearchedRows, type SearchRule } from './tree.ts';

const rule: SearchRule = { width: 2, maxDepth: 10, wValue: 0.4, wEntropy: 0, wDepth: 0.01 };

/** Episodes by length, success and entropy, the same at every step. */
const rowsOf = (list: readonly (readonly [length: number, correct: boolean, entropy: number])[]): SearchedRows => ({
  length: (row) => list[row]![0],
  isCorrect: (row) => list[row]![1],
  meanEntropy: (row) => list[row]![2],
  entropy: (row) => list[row]![2],
});

test('a success takes the place of failures, and a failure never lowers what led to a success', () => {
  expect(backedUp(-0.5, -0.25)).toBe(-0.75);
  expect(backedUp(-0.5, 0.25)).toBe(0.25);
  expect(backedUp(0.5, 0.25)).toBe(0.75);
  expect(backedUp(0.5, -0.25)).toBe(0.5);
  expect(backedUp(0, -0.25)).toBe(-0.25);
});

test('of wrong episodes the most confident one is backed up, with less weight near the start', () => {
  // both wrong; the second is surer of itself: −1/4, −2/4, −3/4 on its way, −0.1 at the start
  const tree = new SearchTree(
    rowsOf([
      [4, false, 0.9],
      [4, false, 0.2],
    ]),
    rule,
  );
  tree.expand(null, 2);
  expect([0, 1, 2, 3].map((t) => tree.q(1, t))).toEqual([-0.1, -0.25, -0.5, -0.75]);
  expect([1, 2, 3].map((t) => tree.q(0, t))).toEqual([0, 0, 0]);
  // the episode that was not backed up is worth more: its deepest state
  expect(tree.frontier()).toEqual({ row: 0, step: 3 });
});

test('a correct episode is backed up before any wrong one, and the search goes on near it', () => {
  const tree = new SearchTree(
    rowsOf([
      [4, false, 0.1],
      [4, true, 0.9],
      [4, false, 0.5],
      [6, true, 0.5],
    ]),
    rule,
  );
  tree.expand(null, 2);
  expect([1, 2, 3].map((t) => tree.q(1, t))).toEqual([0.25, 0.5, 0.75]);
  const next = tree.frontier();
  expect(next).toEqual({ row: 1, step: 3 });
  tree.expand(next, 2);
  // the shared prefix adds up: (0.25 + 1/6)/2, and 3/6 beside 0.75
  expect(tree.q(3, 1)).toBeCloseTo((0.25 + 1 / 6) / 2, 12);
  expect(tree.q(1, 3)).toBeCloseTo((0.75 + 0.5) / 2, 12);
  // a state is opened once
  expect(tree.frontier()).not.toEqual(next);
});

test('what was grown in phases is grown again from the episodes alone', () => {
  const rows = rowsOf(Array.from({ length: 8 }, (_, k) => [3 + (k % 4), k % 3 === 0, (k * 7) % 5] as const));
  const byHand = new SearchTree(rows, rule);
  for (let k = 0; k < 4; k++) byHand.expand(k === 0 ? null : byHand.frontier(), 2);
  const again = grownTree(rows, 8, rule);
  expect(again.frontier()).toEqual(byHand.frontier());
  for (let row = 0; row < 8; row++)
    for (let t = 0; t <= rows.length(row); t++) expect(again.q(row, t)).toBe(byHand.q(row, t));
});

test('one-step episodes leave nothing to open but the start', () => {
  expect(
    grownTree(
      rowsOf([
        [1, false, 0],
        [1, true, 0],
      ]),
      2,
      rule,
    ).frontier(),
  ).toBeNull();
});

test('the rows of an opening continue from the state of the largest F; sixteen openings at most', () => {
  const seen = {
    ...{ count: 2, taskIndex: Uint32Array.of(0, 0), length: Uint32Array.of(3, 3), success: Uint32Array.of(0, 1) },
    entropy: new Float32Array(8),
  } as RowsSeen;
  const context = { T: 4, G: 8, actions: 4, tasks: [0, 0] } as unknown as RowContext;
  const params = { width: 2, maxDepth: 10, wValue: 0.4, wEntropy: 0.4, wDepth: 0.01, cache: 0, hardUpTo: 0.25 };
  const row = { task: 0, origin: 'search', parent: 1, branchStep: 2 };
  expect(deepSearch.next!(seen, context, params)).toEqual([row, row]);
  expect([2, 8, 16, 160].map((G) => deepSearch.fresh!({ ...params, width: 4 }, G))).toEqual([2, 4, 4, 10]);
});
