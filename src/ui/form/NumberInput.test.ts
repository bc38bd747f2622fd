import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shownNumber, type NumberSetting } from '../../core/settings.ts';
import { fieldAt, fields } from '../../config/schema.ts';
import { readNumber } from './NumberInput.tsx';

const goal = fieldAt('reward.grid.goal')!.setting as NumberSetting;

test('a reward is typed as 1.0 and held as whole thousandths', () => {
  expect(readNumber('1.0', goal)).toBe(1000);
  expect(readNumber('-0.02', goal)).toBe(-20);
  // 0.29 · 1000 and 1.001 · 1000 are no whole numbers in floats
  expect(readNumber('0.29', goal)).toBe(290);
  expect(readNumber('1.001', goal)).toBe(1001);
  expect(readNumber('0.0005', goal)).toBeNull();
  expect(readNumber('1000', goal)).toBeNull();
  expect(readNumber('', goal)).toBeNull();
});

test('every reward of the config comes back as it was shown', () => {
  fc.assert(
    fc.property(fc.integer({ min: goal.min, max: goal.max }), (held) => {
      expect(readNumber(String(shownNumber(goal, held)), goal)).toBe(held);
    }),
  );
});

const SHARES = ['task.grid.frozen', 'task.externalChain.switching', 'task.visitBudget.share'];
const COSTS = ['task.notes.dropped', 'task.notes.repeated'];

test('every reward that a world pays is shown as 1.0, the chances of ice, a gate and a forbidden place as 0.8, what notes cost alike, and no setting else', () => {
  for (const { path, setting } of fields) {
    const isReward = /^reward\.(grid|sokoban|textmaze)\./.test(path) && setting?.kind === 'integer';
    const isShare = isReward || SHARES.includes(path) || COSTS.includes(path);
    expect(setting !== null && 'per' in setting && setting.per, path).toBe(isShare ? 1000 : false);
  }
});
