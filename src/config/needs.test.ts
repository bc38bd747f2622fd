import { expect, test } from 'vitest';
import { metrics, type Metric } from '../methods/analysis/metrics.ts';
import { lacking, needText } from './needs.ts';
import { configWith } from './schema.ts';

test('every need names a field of the form and values that it can have', () => {
  for (const { id, needs = [] } of metrics as readonly Metric[]) {
    for (const need of needs) {
      const { field, value } = needText(need);
      expect(`${id}: ${field}: ${value}`).not.toContain('undefined');
    }
  }
});

test('needs are told in the words of the form, and only those that are not met', () => {
  const needs = (metrics as readonly Metric[]).find(({ id }) => id === 'heldOutSuccess')!.needs!;
  expect(lacking(configWith({}), needs).map(needText)).toEqual([
    { path: 'analysis.heldOut', field: 'Held-out levels (Analysis)', value: 'on' },
  ]);
  expect(lacking(configWith({ 'analysis.evalEvery': 0, 'analysis.heldOut': true }), needs).map(needText)).toEqual([
    { path: 'analysis.evalEvery', field: 'Evaluate every (Analysis)', value: 'above 0' },
  ]);
  expect(lacking(configWith({ 'analysis.heldOut': true }), needs)).toEqual([]);
  expect(needText({ setting: 'advantage.method', is: ['gae'] })).toMatchObject({
    field: 'Advantage method',
    value: 'PPO with critic (GAE)',
  });
  expect(needText({ setting: 'rollout.ages', is: ['queue'] }).value).toBe('from a queue with a bound');
});
