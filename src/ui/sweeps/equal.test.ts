import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import { openShared, shared, useCompare, type Compare } from './compareStore.ts';
import { describe } from './describe.ts';
import { equalIn } from './equal.ts';
import { SUGGESTIONS } from './suggestions.ts';

const plain = configWith({});
const first = useCompare.getState();
const asked = (changes: Partial<Compare>): Compare => ({ ...first, ...changes });
const methods = (...values: string[]) => ({ path: 'rollout.method', values });
const ESTIMATORS = { path: 'advantage.method', values: ['grpo', 'gigpo'] };
const equal = (changes: Partial<Compare>, config: Config = plain) => equalIn(asked(changes), config);

test('versions whose updates cost other steps get equal environment steps, others equal updates', () => {
  expect(equal({ varied: [ESTIMATORS] })).toEqual({ match: 'updates', amount: 100, words: null });
  for (const varied of [
    [methods('sampled', 'dynamicSampling')],
    [methods('arpo'), ESTIMATORS],
    [ESTIMATORS, { path: 'source.method', values: ['uniform', 'knapsack'] }],
    [{ path: 'rollout.groupSize', values: [8, 64] }],
    [
      { path: 'task.levelRow.on', values: [false] },
      { path: 'rollout.tasksPerBatch', values: [2, 4] },
    ],
  ]) {
    expect(equal({ varied }).match).toBe('environmentSteps');
    expect(equal({ varied }).words).toContain('those of discarded episodes too');
  }
  // what is the same in all versions counts as well, unless the comparison sets it back
  const dropping = configWith({ 'rollout.method': 'dynamicSampling' });
  expect(equal({ varied: [ESTIMATORS] }, dropping).match).toBe('environmentSteps');
  expect(equal({ varied: [ESTIMATORS, methods('sampled')] }, dropping).match).toBe('updates');
  expect(equal({ kind: 'single', varied: [methods('sampled')] }, dropping).match).toBe('environmentSteps');
});

test('there are as many steps as the updates would take at most, until another number is set', () => {
  const varied = [methods('sampled', 'dynamicSampling')];
  const { amount } = equal({ varied, updates: 10 });
  const P = Number(plain.rollout['tasksPerBatch']) * Number(plain.rollout['groupSize']);
  expect(amount).toBeGreaterThan(10 * P);
  expect(equal({ varied, updates: 20 }).amount).toBeCloseTo(2 * amount, -3);
  expect(equal({ varied, steps: 700 }).amount).toBe(700);
});

test('whoever wants equal updates gets them, and is told what that means', () => {
  const varied = [methods('sampled', 'dynamicSampling')];
  expect(equal({ varied, match: 'updates' })).toMatchObject({ match: 'updates', amount: 100 });
  expect(equal({ varied, match: 'updates' }).words).toMatch(
    /read the curves over steps, and the score at equal steps\.$/,
  );
  expect(equal({ varied, match: 'seconds' })).toMatchObject({ match: 'seconds', amount: 10, words: null });
  // the last update has to be known beforehand
  const falling = configWith({ 'optimizer.schedule': 'cosine' });
  expect(equal({ varied }, falling).match).toBe('updates');
  expect(equal({ varied }, falling).words).toContain('learning rate must be constant');
});

test('what is shared in a link says what was equal, and opens with it', () => {
  const compare = asked({ varied: [methods('sampled', 'dynamicSampling')], updates: 10 });
  const link = shared(compare, plain)!;
  expect(link).toMatchObject({ match: 'environmentSteps', amount: equalIn(compare, plain).amount });
  openShared(link);
  expect(shared(useCompare.getState(), plain)).toEqual(link);
  expect(describe(useCompare.getState(), plain)).toMatchObject({ match: 'environmentSteps', steps: link.amount });
  useCompare.setState(first);
});

test('suggestions give forks and discarded groups equal steps', () => {
  const found = Object.fromEntries(SUGGESTIONS.map(({ label, of }) => [label, equal(of(plain)).match]));
  expect(found).toMatchObject({
    'Four estimators': 'updates',
    'Four ways to spend environment steps': 'environmentSteps',
    'Forked episodes, compared with relatives or not': 'environmentSteps',
  });
});
