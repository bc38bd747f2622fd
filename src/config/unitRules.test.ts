import { expect, test, vi } from 'vitest';
import { checkRules } from './rules.ts';
import { configWith } from './schema.ts';
import { estimators } from '../slots/methods.ts';

vi.mock('../slots/methods.ts', async (original) => {
  const { defineEstimator } = await import('../slots/types.ts');
  const methods = await original<typeof import('../slots/methods.ts')>();
  const { estimators, ...others } = methods;
  return { ...others, estimators: [...estimators, defineEstimator({ ...estimators[0]!, id: 'words', perUnit: true })] };
});

const issuesOf = (changes: Readonly<Record<string, unknown>>) =>
  checkRules(configWith({ 'run.backend': 'cpu', 'advantage.method': 'words', ...changes })).filter(
    ({ path, severity }) => path === 'revise.matchSize.on' && severity === 'error',
  );
const WRITES = { 'policy.method': 'transformer' };

test('a revision beside an estimator that credits every word is refused before anything runs, with a way out', () => {
  expect(estimators.at(-1)!.id).toBe('words');
  const [issue, ...others] = issuesOf({ ...WRITES, 'revise.matchSize.on': true });
  expect(others).toEqual([]);
  expect(issue).toMatchObject({
    severity: 'error',
    repair: { set: [{ path: 'revise.matchSize.on', value: false }] },
  });
  expect(issuesOf(WRITES)).toEqual([]);
  // whole actions: credit of a unit is that of its step
  expect(issuesOf({ 'revise.matchSize.on': true })).toEqual([]);
});
