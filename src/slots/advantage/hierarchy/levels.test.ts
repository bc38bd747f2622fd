import { expect, test } from 'vitest';
import { utteranceCritics } from './archer.ts';
import { nestedCredit, planCredit } from './himac.ts';
import { keepPenalties } from './keepPenalties.ts';
import { filteredSteps } from './vsc.ts';

const rounded = (x: ArrayLike<number>): number[] => Array.from(x, (v) => Math.round(1e4 * v) / 1e4 + 0);

test('plans of a task are compared, and the first of the best is followed; plans that agree teach nothing', () => {
  const { macro, chosen } = planCredit([1, 0, 1, 0, 0.5, 0.5, 0.5, 0.5], 4);
  // mean ½, std 1/√3
  expect(rounded(macro)).toEqual([0.866, -0.866, 0.866, -0.866, 0, 0, 0, 0]);
  expect([...chosen]).toEqual([0, 0]);
});

test('nested: plans by the mean of their executions, executions among those of their plan', () => {
  const batch = { B: 6, taskIndex: [0, 0, 0, 0, 1, 1], outcome: [1, 0, 1, 1, 1, 0], plan: [0, 0, 1, 1, 0, 0] };
  const { macro, micro } = nestedCredit(batch);
  // means ½ and 1: ∓1/√2; the second task has one plan
  expect(rounded(macro)).toEqual([-0.7071, -0.7071, 0.7071, 0.7071, 0, 0]);
  expect(rounded(micro)).toEqual([0.7071, -0.7071, 0, 0, 0.7071, -0.7071]);
});

test('a keeping step pays; spread, all of an episode pay the penalty times their share, and one step pays nothing', () => {
  const batch = {
    ...{ B: 2, T: 4, length: [4, 1], reward: [0, 0, 0, 1, 0, 0, 0, 0] },
    ...{ switched: [0, 0, 1, 0, 0, 0, 0, 0], subgoal: [1, 1, 2, 3, 0, 0, 0, 0], invalid: [0, 1, 0, 0, 0, 0, 0, 0] },
  };
  const of = { keep: -0.4, inconsistent: -0.2, refused: -0.1 };
  expect(rounded(keepPenalties(batch, { ...of, spread: 'fixed' }))).toEqual([0, -0.5, 0, 0.4, 0, 0, 0, 0]);
  expect(rounded(keepPenalties(batch, { ...of, spread: 'normalized' }))).toEqual([0, -0.2, 0, 0.7, 0, 0, 0, 0]);
  const none = { keep: 0, inconsistent: 0, refused: 0 };
  expect(rounded(keepPenalties(batch, { ...none, spread: 'fixed' }))).toEqual(batch.reward);
});

test('two critics have targets of their own, and only the actor takes the smaller; a cut episode goes on', () => {
  const batch = (terminated: number) => ({
    ...{ B: 1, T: 2, length: [2], terminated: [terminated], reward: [0, 1] },
    ...{ q: [1, 2, 3, 1], v: [0.5, 0, 1, 2], qFresh: [7, 8, 9, 10], vSlow: [0, 0, 0.5, 1, 2, 4] },
  });
  const ended = utteranceCritics(batch(1), 0.5);
  expect([...ended.qTarget]).toEqual([0.25, 0.5, 1, 1]);
  expect([...ended.vTarget]).toEqual([7, 8, 9, 10]);
  expect([...ended.adv]).toEqual([1, 0]);
  expect([...utteranceCritics(batch(0), 0.5).qTarget]).toEqual([0.25, 0.5, 2, 3]);
});

test('steps that led to a subgoal are kept; after the last one only where the critic rose by more than the margin', () => {
  const goalValue = [0.9, 0.1, 0.2, 0.3, 0.3, 0.4];
  const batch = { B: 1, T: 5, length: [5], reached: [0, 0, 1, 0, 0], goalValue };
  const { subgoalReward, mcReturn, keep } = filteredSteps(batch, 0.5, 0.05);
  expect([...subgoalReward]).toEqual([0, 0, 1, 0, 0]);
  expect([...mcReturn]).toEqual([0.25, 0.5, 1, 0, 0]);
  // the first step fell by 0.8, which 0.25 does not make good
  expect([...keep]).toEqual([0, 1, 1, 0, 1]);
});
