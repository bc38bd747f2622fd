import { expect, test } from 'vitest';
import { estimators } from '../slots/methods.ts';
import { notYet, offeredEstimators } from './offered.ts';
import { checkRules } from './rules.ts';
import { configWith } from './schema.ts';
import { slots, type Slot } from './slots.ts';

// one of them is a text, whose language comes when it is asked for
for (const { prepare } of estimators) await prepare?.();

const withheld = estimators.filter((e) => !offeredEstimators.includes(e));
const advantage: Slot = slots.find((s) => s.id === 'advantage')!;

test('menus offer an estimator exactly if runs record what it needs; its choice is then never refused for missing data', () => {
  expect(offeredEstimators.map((e) => e.id)).toContain('gigpo');
  for (const e of estimators) {
    const module = advantage.modules.find((m) => m.id === e.id)!;
    expect(module.withheld ?? null, e.id).toBe(notYet(e));
    const refused = checkRules(configWith({ 'advantage.method': e.id })).some(
      (i) => i.path === 'advantage.method' && i.severity === 'error',
    );
    expect(refused, e.id).toBe(module.withheld !== undefined || ['arpo', 'nodeValue', 'hbpo', 'himac'].includes(e.id));
  }
  // what it needs is made by a reward, and that by a wrapper
  const budgets = { 'reward.hbpo.on': true, 'task.stepBudget.on': true };
  const paid = checkRules(configWith({ 'advantage.method': 'hbpo', ...budgets }));
  expect(paid.filter(({ severity }) => severity === 'error')).toEqual([]);
  // what it needs is made by a rollout
  const forked = checkRules(configWith({ 'advantage.method': 'arpo', 'rollout.method': 'arpo' }));
  expect(forked.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('every estimator runs; one that asked for what no run records would be withheld with a sentence', () => {
  expect(withheld).toEqual([]);
  expect(notYet({ title: 'Mine', needs: ['reward', 'role'] })).toBe(
    'is Mine, which needs the player of each episode; no run records that yet',
  );
});

test('a threshold that lets two cells differ is named, as it tells no places of a map apart', () => {
  const issuesOf = (changes: object) =>
    checkRules(configWith({ 'advantage.method': 'gigpoSimilar', 'task.grid.level': 'fourRooms', ...changes })).filter(
      (i) => i.path.endsWith('threshold'),
    );
  const [found] = issuesOf({});
  expect(found).toMatchObject({ severity: 'hint', message: expect.stringContaining('a move changes two') as string });
  // the repair leaves one cell that may differ, at most
  const { path, value } = found!.repair!.set[0]!;
  expect(issuesOf({ [path]: value })).toEqual([]);
  expect(issuesOf({ 'advantage.gigpoSimilar.compare': 'text' })).toEqual([]);
});
