import { expect, test } from 'vitest';
import { metrics, type Metric } from '../slots/metrics/metrics.ts';
import { lacking, needsOf, needText } from './needs.ts';
import { configWith } from './schema.ts';

test('every need names a field of the form and values that it can have', () => {
  for (const metric of metrics as readonly Metric[]) {
    const { id } = metric;
    for (const need of needsOf(metric).flat()) {
      const { field, value } = needText(need);
      expect(`${id}: ${field}: ${value}`).not.toContain('undefined');
    }
  }
});

test('needs are told in the words of the form, and only those that are not met', () => {
  const metric = (id: string): Metric => (metrics as readonly Metric[]).find((m) => m.id === id)!;
  const heldOut = metric('heldOutSuccess');
  const text = (changes: Record<string, unknown>) => lacking(configWith(changes), heldOut).flat().map(needText);
  expect(text({})).toEqual([{ path: 'analysis.heldOut', field: 'Held-out levels (Analysis)', value: 'on' }]);
  expect(text({ 'analysis.evalEvery': 0, 'analysis.heldOut': true })).toEqual([
    { path: 'analysis.evalEvery', field: 'Evaluate every (Analysis)', value: 'above 0' },
  ]);
  expect(text({ 'analysis.heldOut': true })).toEqual([]);
  expect(needText({ setting: 'advantage.method', is: ['gae'] })).toMatchObject({
    field: 'Advantage method',
    value: 'PPO with critic (GAE)',
  });
  // a number that several modules have is measured where one of them acts
  expect(needsOf(metric('resets'))).toEqual([
    [
      { setting: 'control.resetStalled.on', is: [true] },
      { setting: 'control.resetEvery.on', is: [true] },
    ],
  ]);
  expect(lacking(configWith({ 'control.resetEvery.on': true }), metric('resets'))).toEqual([]);
  expect(needText({ setting: 'rollout.ages', is: ['queue'] }).value).toBe('from a queue with a bound');
});
