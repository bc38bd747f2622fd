import { expect, test } from 'vitest';
import { estimateCost } from '../../config/cost.ts';
import { configWith } from '../../config/schema.ts';
import { between, isSameSize, secondsOf } from './seconds.ts';

/** Episodes of full length from the first update to the last. */
const speed = (slowest: number, fastest: number) => ({ slowest, fastest, shares: [], later: 1 });

test('a range is told in one unit and holds both of its ends', () => {
  expect(between(3.2, 4.9)).toBe('3–5 s');
  expect(between(12, 40.5)).toBe('12–41 s');
  expect(between(70, 130)).toBe('1–3 min');
  expect(between(4000, 9000)).toBe('1–3 hours');
  expect(between(0.4, 2.3)).toBe('up to 3 s');
});

test('ends that are hardly apart are a range as well: nobody knows it to the second', () => {
  expect(between(3.1, 3.4)).toBe('3–4 s');
  expect(between(3.9, 4.1)).toBe('3–5 s');
  expect(between(15, 15)).toBe('15–16 s');
  expect(between(0.1, 0.2)).toBe('up to 1 s');
});

test('the slowest trial gives the longest time, and a pace the least', () => {
  const config = configWith({ 'run.updates': 100 });
  const { stepsPerUpdate } = estimateCost(config, null)!;
  expect(secondsOf(config, speed(stepsPerUpdate * 10, stepsPerUpdate * 50), null)).toEqual([2, 10]);
  expect(secondsOf(config, speed(stepsPerUpdate * 10, stepsPerUpdate * 50), 20)).toEqual([5, 13]);
});

test('updates that the trials have made are as long as they were there, and those after them as long as the last', () => {
  const config = configWith({ 'run.updates': 10 });
  const { stepsPerUpdate } = estimateCost(config, null)!;
  const measured = { ...speed(stepsPerUpdate, stepsPerUpdate * 2), shares: [1, 0.5, 0.5, 0.5], later: 0.25 };
  expect(secondsOf(config, measured, null)).toEqual([2, 4]);
  // a run that is over before the trials were knows all of its updates
  expect(secondsOf(configWith({ 'run.updates': 2 }), measured, null)).toEqual([0.75, 1.5]);
});

test('a speed counts for runs of the same size alone', () => {
  const config = configWith({});
  expect(isSameSize(config, configWith({ 'optimizer.learningRate': 0.5, 'run.updates': 7 }))).toBe(true);
  expect(isSameSize(config, configWith({ 'rollout.groupSize': 32 }))).toBe(false);
});

test('rounds of fresh tasks make the longest time longer, not the shortest, and another size of run', () => {
  const config = configWith({ 'run.updates': 20 });
  const rounds = configWith({ 'rollout.method': 'dynamicSampling', 'rollout.dynamicSampling.maxRounds': 3 }, config);
  const { stepsPerUpdate } = estimateCost(config, null)!;
  expect(secondsOf(rounds, speed(stepsPerUpdate * 10, stepsPerUpdate * 20), null)).toEqual([1, 6]);
  expect(isSameSize(config, rounds)).toBe(false);
});
