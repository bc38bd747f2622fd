import { expect, test } from 'vitest';
import type { OptimizerStop, Snapshot, WalkedUpdate } from '../../worker/protocol.ts';
import { binsOf, fewValues, middleOf } from './bins.ts';
import {
  changeSentence,
  clippedOf,
  followed,
  objectiveSentence,
  optimizerSentence,
  returnsOf,
  rewardSentence,
  rolloutSentence,
  stopsOf,
} from './stops.ts';

/** Two tasks of two episodes, two steps each; the first task has a winner. */
const snapshot = {
  update: 3,
  B: 4,
  T: 2,
  actions: ['left', 'right'],
  length: Uint32Array.of(2, 1, 2, 2),
  taskIndex: Uint32Array.of(0, 0, 1, 1),
  success: Uint32Array.of(1, 0, 0, 0),
  outcome: Float32Array.of(1, 0, 0, 0),
  reward: Float32Array.of(0, 1, 0, 0, 0, 0, 0, 0),
  action: Uint32Array.of(1, 1, 0, 0, 0, 1, 1, 0),
  A: Float32Array.of(1, 1, -1, 0, 0, 0, 0, 0),
} as unknown as Snapshot;

const stop = (some: Partial<OptimizerStop>): OptimizerStop => ({
  A: Float32Array.of(1, -1),
  ratio: Float32Array.of(1, 1),
  clip: Uint8Array.of(0, 0),
  step: Uint32Array.of(0, 2),
  epoch: 0,
  minibatch: 0,
  gradNorm: 0.5,
  usedNorm: 0.5,
  tensors: [],
  updateNorm: 0.1,
  weightNorm: 1,
  ...some,
});

const half = Float32Array.from({ length: 16 }, () => 0.5);
const walk = (stops: OptimizerStop[]): WalkedUpdate => ({
  snapshot,
  epochs: 1,
  minibatches: 1,
  clipNorm: 1,
  learningRate: 0.01,
  stops,
  end: stop({}),
  approxKL: 0.01,
  // right became likelier in step 0, less likely in step 1; left less likely in the step of episode 2
  policy: { before: half, after: Float32Array.of(0.4, 0.6, 0.6, 0.4, 0.3, 0.7, ...half.slice(6)) },
  bad: null,
});

test('a walk stops at rollout, reward and advantage once, then at objective and optimizer for every optimizer step', () => {
  const stops = stopsOf(walk([stop({}), stop({})]));
  expect(stops.map(({ slot, k }) => `${slot} ${k}`)).toEqual([
    'rollout 0',
    'reward 0',
    'advantage 0',
    'objective 0',
    'optimizer 0',
    'objective 1',
    'optimizer 1',
  ]);
});

test('the rollout says whose episodes these are: the policy as it is, an old one, several, or a rounded one', () => {
  const of = (ages: number[] | null, isRounded = false): string =>
    rolloutSentence({ ...snapshot, ages: ages && { bound: 3, units: Float64Array.from(ages) } }, isRounded);
  expect(of(null)).toContain('The policy, as it is now, has played 4 episodes on 2 tasks');
  expect(of([7, 0, 0, 0, 0])).toContain('The policy, as it is now, has played');
  expect(of([0, 0, 0, 7, 0])).toContain('The policy of 3 updates ago has played');
  expect(of([2, 0, 0, 5, 0])).toContain('The policy of 0 to 3 updates ago has played');
  expect(of([0, 0, 0, 0, 7])).toContain('The policy of 4 or more updates ago has played');
  expect(of(null, true)).toContain('The policy, rounded to fewer bits, has played');
  expect(of([0, 1, 0, 0, 0], true)).toContain('The policy of 1 update ago, rounded to fewer bits, has played');
});

test('a task whose episodes all got the same has nothing to compare', () => {
  expect(returnsOf(snapshot).map(({ members, isEven }) => [members, isEven])).toEqual([
    [[0, 1], false],
    [[2, 3], true],
  ]);
  expect(rewardSentence(snapshot)).toContain('1 of 7 steps earned a reward');
  expect(rewardSentence(snapshot)).toContain('In 1 of 2 tasks all episodes got the same return');
});

test('where the estimator sees other rewards, the world’s are told first, and compared is what the estimator sees', () => {
  const judged = { reward: new Float32Array(8), outcome: Float32Array.of(1, 1, 0.5, 0.25) };
  const seen = { ...snapshot, judged: { ...judged, isNormalized: false, shapedBy: [], paysKl: true } } as Snapshot;
  expect(returnsOf(seen).map(({ isEven }) => isEven)).toEqual([true, false]);
  const told = rewardSentence(seen);
  expect(told).toContain(
    '1 of 7 steps earned a reward other than 0. The estimator sees something else: the rewards, less',
  );
  expect(told).toContain('By these, in 1 of 2 tasks all episodes got the same return');
});

test('the objective says when nothing has moved yet, what was clipped, and what the norm limit did', () => {
  const fresh = stop({});
  expect(objectiveSentence(fresh, walk([fresh]), 'PPO clip')).toContain('every ratio ρ is 1');
  expect(objectiveSentence(fresh, walk([fresh]), 'PPO clip')).toContain('within the limit 1');
  const moved = stop({ ratio: Float32Array.of(1.4, 0.9), clip: Uint8Array.of(1, 0), gradNorm: 2, usedNorm: 1 });
  expect(objectiveSentence(moved, walk([moved]), 'PPO clip')).toContain('1 of 2 are clipped');
  expect(objectiveSentence(moved, walk([moved]), 'PPO clip')).toContain('length is 2, shortened to 1 by the limit 1');
});

test('without credit there is no gradient, and what moves all the same is momentum', () => {
  const silent = stop({ gradNorm: 0, usedNorm: 0 });
  expect(objectiveSentence(silent, walk([silent]), 'PPO clip')).toContain('the gradient is 0');
  expect(optimizerSentence(silent, walk([silent]), 'Adam')).toContain('momentum of earlier updates');
  const still = stop({ gradNorm: 0, usedNorm: 0, updateNorm: 0 });
  expect(optimizerSentence(still, walk([still]), 'SGD')).not.toContain('momentum');
});

test('clipped decisions come with the farthest ratio first, whichever side', () => {
  const ratio = Float32Array.of(1.3, 1, 0.5, 1.9);
  expect(clippedOf({ ratio, clip: Uint8Array.of(1, 0, 2, 1) })).toEqual([2, 3, 0]);
});

test('actions are counted that moved the way their credit asked for', () => {
  // step 0: +1 and likelier; step 1: +1 and less likely; episode 2: −1 and less likely; the others have no credit
  expect(followed(walk([]))).toEqual({ n: 3, agree: 2 });
});

test('the change in one state names action, credit and both probabilities, and says when others pulled harder', () => {
  expect(changeSentence(walk([]), 0, 0)).toBe(
    'Episode 1, step 1: right was taken; its credit asked for more (+1). It went from 50 % to 60 %: likelier.',
  );
  expect(changeSentence(walk([]), 0, 1)).toContain('pulled harder');
});

test('bins hold every value once, and values that differ by rounding alone are one', () => {
  const values = [0, 0.1, 0.5, 0.99, 1, 1];
  const bins = binsOf(values, 10);
  expect(bins.counts.reduce((a, b) => a + b, 0)).toBe(6);
  expect(bins.counts[9]).toBe(3);
  expect(middleOf(bins, 0)).toBeCloseTo(0.05, 12);
  expect(binsOf([1, 1 + 1e-7, 1 - 1e-7]).counts).toEqual([3]);
  expect(binsOf([]).counts).toEqual([0]);
  expect(fewValues([1, 0, 0])).toEqual([
    [0, 2],
    [1, 1],
  ]);
  expect(fewValues([1, 2, 3, 4, 5, 6])).toBeNull();
});
