import { expect, test } from 'vitest';
import type { Snapshot } from '../../worker/protocol.ts';
import { endingOf, EVERYTHING, episodeSentence, listed, loudest, membersOf, moveInList, numberIn } from './episodes.ts';
import { endOf, nextEpisode, stepAfter, stepAhead } from './playback.ts';

const batch = {
  B: 4,
  T: 2,
  update: 26,
  replica: 0,
  length: Uint32Array.of(2, 1, 2, 1),
  success: Uint32Array.of(0, 1, 1, 0),
  origin: new Uint8Array(4),
  taskIndex: Uint32Array.of(1, 0, 0, 1),
  outcome: Float32Array.of(0, 1, 1, 0),
  A: Float32Array.of(0.5, -3, 2, 99, -1, 1, 0, 99),
} as unknown as Snapshot;
const most = loudest(batch);
const list = (some: object): number[] => listed(batch, most, { ...EVERYTHING, ...some });

test('the largest credit of an episode keeps its sign and ignores padding', () => {
  expect([...most]).toEqual([-3, 2, -1, 0]);
});

test('episodes are filtered by ending, length and size of credit', () => {
  expect(list({})).toEqual([1, 2, 0, 3]);
  expect(list({ ending: 'success' })).toEqual([1, 2]);
  expect(list({ ending: 'failure', shortest: 2 })).toEqual([0]);
  expect(list({ longest: 1 })).toEqual([1, 3]);
  expect(list({ credit: 2 })).toEqual([1, 0]);
});

test('episodes are sorted by task, length or size of credit', () => {
  expect(list({ order: 'short' })).toEqual([1, 3, 2, 0]);
  expect(list({ order: 'long' })).toEqual([2, 0, 1, 3]);
  expect(list({ order: 'credit' })).toEqual([0, 1, 2, 3]);
});

test('keys move inside a list and end at its ends', () => {
  expect(moveInList('ArrowDown', 0, 3)).toBe(1);
  expect(moveInList('ArrowDown', 2, 3)).toBe(2);
  expect(moveInList('End', 0, 3)).toBe(2);
  expect(moveInList('ArrowDown', -1, 3)).toBe(0);
  expect(moveInList('ArrowDown', -1, 0)).toBeNull();
  expect(moveInList('x', 0, 3)).toBeNull();
});

test('keys step through an episode and stop at its ends', () => {
  expect(['ArrowLeft', 'ArrowRight', 'Home', 'End'].map((key) => stepAfter(key, 3, 8))).toEqual([2, 4, 0, 8]);
  expect([stepAfter('ArrowLeft', 0, 8), stepAfter('ArrowRight', 8, 8), stepAfter('a', 0, 8)]).toEqual([0, 8, null]);
});

test('following shows the next success, or simply the next episode', () => {
  expect([nextEpisode(batch.success, 0), nextEpisode(batch.success, 2)]).toEqual([1, 1]);
  expect(nextEpisode(new Uint32Array(3), 2)).toBe(0);
});

test('members of a task and the sentence of an episode', () => {
  expect(membersOf(batch.taskIndex, 1)).toEqual([0, 3]);
  // the player and the tree of a task count its own episodes
  expect(membersOf(batch.taskIndex, 1).map((i, _, members) => numberIn(members, i))).toEqual([1, 2]);
  expect(episodeSentence(batch, 1)).toBe('Batch of update 27: this episode reached the goal in 1 step, return 1.');
  const judged = { ...batch, judged: { outcome: Float32Array.of(0, 0.75, 1, 0) } } as unknown as Snapshot;
  expect(episodeSentence(judged, 1)).toContain('return 1 (0.75 as the estimator sees it).');
  const shown = { ...batch, origin: Uint8Array.of(0, 5, 0, 0) };
  expect(episodeSentence(shown, 1)).toContain('return 1. This is a demonstration: the solver chose its actions');
  expect([0, 1, 2].map((i) => endingOf(shown, i))).toEqual(['✗ failure', '✓ demonstration', '✓ success']);
  const hinted = { ...shown, origin: Uint8Array.of(0, 6, 0, 0) };
  expect(endingOf(hinted, 1)).toBe('✓ success with a hint');
  const repaired = { ...batch, repairs: Uint32Array.of(0, 2, 0, 1) };
  expect([0, 1, 3].map((i) => endingOf(repaired, i))).toEqual([
    '✗ failure',
    '✓ success, repaired at step 2',
    '✗ failure, repaired at step 1',
  ]);
  expect(episodeSentence(repaired, 1)).toContain('up to step 2, where the best action was put in place of a mistake');
  expect(episodeSentence(hinted, 1)).toContain('This episode had a hint');
});

test('a failing episode is cut short as soon as there are newer ones; one that succeeds is shown to its end', () => {
  expect(endOf(50, false, true)).toBe(8);
  expect(endOf(5, false, true)).toBe(5);
  expect(endOf(50, false, false)).toBe(50);
  expect(endOf(50, true, true)).toBe(50);
});

test('an episode hurries as training goes on: at most six updates later it is at its last step', () => {
  expect([0, 1, 2].map((age) => stepAhead(0, 8, age))).toEqual([1, 2, 3]);
  expect(stepAhead(3, 8, 1)).toBe(4);
  expect(stepAhead(8, 8, 0)).toBe(8);
  for (const end of [1, 8, 30, 200]) expect(stepAhead(0, end, 6)).toBe(end);
});
