import { expect, test } from 'vitest';
import { estimators } from '../slots/methods.ts';
import { decodeLink, encodeLink } from './link.ts';
import { notYet, offeredEstimators } from './offered.ts';
import { checkRules } from './rules.ts';
import { configWith, setValue } from './schema.ts';
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
    expect(refused, e.id).toBe(module.withheld !== undefined || ['arpo', 'hbpo'].includes(e.id));
  }
  // what it needs is made by a reward, and that by a wrapper
  const budgets = { 'reward.hbpo.on': true, 'task.stepBudget.on': true };
  const paid = checkRules(configWith({ 'advantage.method': 'hbpo', ...budgets }));
  expect(paid.filter(({ severity }) => severity === 'error')).toEqual([]);
  // what it needs is made by a rollout
  const forked = checkRules(configWith({ 'advantage.method': 'arpo', 'rollout.method': 'arpo' }));
  expect(forked.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('what the similar ones need is recorded by no run: they are withheld until one does', () => {
  expect(withheld.map((e) => e.id)).toEqual(['gigpoSimilar', 'graphGpoSimilar']);
});

test.each(withheld.map((e) => [e.title, e] as const))(
  'a link that names %s opens with one sentence and a repair',
  (title, e) => {
    const shared = decodeLink(encodeLink({ config: configWith({ 'advantage.method': e.id }) }));
    const config = shared.ok ? shared.value.config : null;
    expect(config?.advantage.method).toBe(e.id);
    const issues = checkRules(config!).filter((i) => i.severity === 'error');
    expect(issues.map((i) => i.path)).toEqual(['advantage.method']);
    expect(issues[0]!.message).toMatch(/^is [^.]+, which needs [^.]+; no run records that yet$/);
    expect(issues[0]!.message).toContain(`is ${title}, `);
    const repaired = issues[0]!.repair!.set.reduce((c, { path, value }) => setValue(c, path, value), config!);
    expect(checkRules(repaired).filter((i) => i.severity === 'error')).toEqual([]);
  },
);
