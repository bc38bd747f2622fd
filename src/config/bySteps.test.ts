import { expect, test } from 'vitest';
import { bySteps, changesSteps } from './bySteps.ts';
import { configWith } from './schema.ts';

test('curves stand against steps where updates differ in what they cost', () => {
  expect(bySteps(configWith({}))).toBe(false);
  expect(bySteps(configWith({ 'rollout.groupSize': 4, 'rollout.staleness': 2 }))).toBe(false);
  expect(bySteps(configWith({ 'rollout.method': 'dynamicSampling' }))).toBe(true);
  expect(bySteps(configWith({ 'source.method': 'levelReplay' }))).toBe(true);
});

test('methods are given equal steps where a setting of rollout or task source tells them apart', () => {
  const costly = ['rollout.method', 'source.method', 'source.knapsack.weight', 'rollout.dynamicSampling.maxRounds'];
  expect(costly.filter((path) => !changesSteps(path))).toEqual([]);
  expect(['rollout.groupSize', 'advantage.method', 'rollout.temperature'].filter(changesSteps)).toEqual([]);
});
