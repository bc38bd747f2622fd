import { expect, test } from 'vitest';
import { checkRules } from './rules.ts';
import { configWith, setValue } from './schema.ts';

const issues = (changes: Readonly<Record<string, unknown>>) =>
  checkRules(configWith(changes)).filter(({ path }) => path.startsWith('reward.'));

test('an experiment without reward modules has nothing to say about them', () => {
  expect(issues({})).toEqual([]);
});

test('shaping with another discount than that of the credit is a hint, and the repair takes it away', () => {
  const on = { 'reward.pbrs.on': true };
  expect(issues(on)).toEqual([]);
  const [hint] = issues({ ...on, 'advantage.method': 'grpo' });
  expect(hint).toMatchObject({ severity: 'hint', path: 'reward.pbrs.gamma' });
  expect(hint!.message).toBe('is not the 1 with which GRPO adds up rewards, so the shaping becomes an extra reward');
  const { path, value } = hint!.repair!.set[0]!;
  const repaired = setValue(configWith({ ...on, 'advantage.method': 'grpo' }), path, value);
  expect(checkRules(repaired).filter((i) => i.path.startsWith('reward.'))).toEqual([]);
});

test('rewards of steps that outweigh the goal are called farmable, with the largest sum', () => {
  const sum = { 'reward.gra.on': true, 'reward.gra.accumulate': 'sum' };
  const found = issues(sum).map((i) => i.message);
  // 0.1 a step for 30 steps
  expect(found).toEqual(['pays up to 3 in a whole episode and the goal 1: the agent may farm it']);
  expect(issues({ 'reward.gra.on': true })).toEqual([]);
  expect(issues({ 'reward.countBonus.on': true, 'reward.countBonus.beta': 0.03 })).toEqual([]);
});

test('modules that are small alone and large together are called farmable, with their sum', () => {
  // 0.5 for new states and 0.02 for each of 30 steps
  const both = { 'reward.rlsp.on': true, 'reward.rlsp.fade': 0, 'reward.countBonus.on': true };
  expect(issues(both).map((i) => i.message)).toEqual([
    'with Exploration that fades (RLSP) pays up to 1.1 in a whole episode and the goal 1: the agent may farm it',
  ]);
  expect(issues({ ...both, 'reward.rlsp.w': 0.3 })).toEqual([]);
});

test('one module stands in place of the reward, and a run has one potential; each is repaired in one step', () => {
  const repaired = (changes: Readonly<Record<string, unknown>>, message: string): void => {
    const [issue] = issues(changes).filter((i) => i.severity === 'error');
    expect(issue!.message).toBe(message);
    const { path, value } = issue!.repair!.set[0]!;
    expect(checkRules(setValue(configWith(changes), path, value)).filter((i) => i.severity === 'error')).toEqual([]);
  };
  repaired(
    { 'reward.gra.on': true, 'reward.carl.on': true },
    'stands in place of the reward, and so does Gated rewards (G-RA): only one can',
  );
  repaired(
    { 'reward.pbrs.on': true, 'reward.progress.on': true, 'reward.progress.potential': 'milestone' },
    'is another than that of Potential-based shaping, and a run has one',
  );
});

test('a level whose states cannot all be looked through is refused where its signals are needed', () => {
  const room = [
    '##########',
    '#@  $    #',
    '#  $     #',
    '#   .  . #',
    '#        #',
    '#   $  . #',
    '#        #',
    '##########',
  ];
  const big = { 'task.method': 'sokoban', 'task.sokoban.level': 'custom', 'task.sokoban.text': room.join('\n') };
  expect(issues({ ...big, 'reward.countBonus.on': true }).filter((i) => i.severity === 'error')).toEqual([]);
  const value = { 'reward.pbrs.on': true, 'reward.pbrs.potential': 'value' };
  const [refused] = issues({ ...big, ...value }).filter((i) => i.severity === 'error');
  expect(refused).toMatchObject({ path: 'reward.pbrs.on' });
  expect(refused!.message).toMatch(/more than 20,000$/);
  // pushes need no list of states
  expect(issues({ ...big, 'reward.pbrs.on': true }).filter((i) => i.severity === 'error')).toEqual([]);
});
