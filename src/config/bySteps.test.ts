import { expect, test } from 'vitest';
import { wrappers } from '../slots/registry.ts';
import { bySteps, byTime, differInCost } from './bySteps.ts';
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

test('a task that grows is one of them: its first stages are short', () => {
  const corridor = { 'task.grid.level': 'corridor', 'task.grid.n': 24, 'task.grid.startDistance': 4 };
  expect(bySteps(configWith(corridor))).toBe(false);
  expect(bySteps(configWith({ ...corridor, 'task.grid.growEvery': 25 }))).toBe(true);
  // a wrapper that adds levels: any setting of this name counts, while it acts
  const row = (on: boolean, growEvery: number) => {
    const id = wrappers.find(({ params }) => 'growEvery' in params)!.id;
    return configWith({ [`task.${id}.on`]: on, [`task.${id}.growEvery`]: growEvery });
  };
  expect([row(true, 0), row(true, 50), row(false, 50)].map(bySteps)).toEqual([false, true, false]);
});

test('experiments are compared over steps where an update of one costs what one of another does not', () => {
  const of = (...changes: Record<string, unknown>[]) => differInCost(changes.map((one) => configWith(one)));
  expect(of({}, { 'advantage.method': 'gigpo' }, { 'rollout.temperature': 2 })).toBe(false);
  expect(of({}, { 'rollout.method': 'dynamicSampling' })).toBe(true);
  // all of them drop groups, each as many as its policy makes it
  expect(of({ 'rollout.method': 'dynamicSampling' }, { 'rollout.method': 'dynamicSampling' })).toBe(true);
  expect(of({}, { 'source.method': 'knapsack' })).toBe(true);
  expect(of({}, { 'rollout.groupSize': 64 })).toBe(true);
  expect(of({}, { 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 16 })).toBe(false);
});
