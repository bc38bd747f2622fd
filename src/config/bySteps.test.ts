import { expect, test } from 'vitest';
import { bySteps, byTime, changesSteps } from './bySteps.ts';
import { configWith } from './schema.ts';

test('curves stand against steps where updates differ in what they cost', () => {
  expect(bySteps(configWith({}))).toBe(false);
  expect(bySteps(configWith({ 'rollout.groupSize': 4, 'rollout.staleness': 2 }))).toBe(false);
  expect(bySteps(configWith({ 'rollout.method': 'dynamicSampling' }))).toBe(true);
  expect(bySteps(configWith({ 'source.method': 'levelReplay' }))).toBe(true);
});

test('curves stand against simulated time where its clock goes by lengths or weights are published seldom', () => {
  const queue = { 'rollout.ages': 'queue' };
  expect(byTime(configWith({ 'rollout.timeBy': 'lengths', 'rollout.publishEvery': 3 }))).toBe(false);
  expect(byTime(configWith(queue))).toBe(false);
  expect(byTime(configWith({ ...queue, 'rollout.timeBy': 'lengths' }))).toBe(true);
  expect(byTime(configWith({ ...queue, 'rollout.publishEvery': 2 }))).toBe(true);
});

test('methods are given equal steps where a setting of rollout or task source tells them apart', () => {
  const costly = ['rollout.method', 'source.method', 'source.knapsack.weight', 'rollout.dynamicSampling.maxRounds'];
  expect(costly.filter((path) => !changesSteps(path))).toEqual([]);
  expect(['rollout.groupSize', 'advantage.method', 'rollout.temperature'].filter(changesSteps)).toEqual([]);
});
