import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkRewardCase, type RewardCase } from './rewardCase.ts';

const { cases, tolerance } = JSON.parse(
  readFileSync(new URL('../../slots/fixtures/reward-hierarchy.json', import.meta.url), 'utf8'),
) as { cases: RewardCase[]; tolerance: { abs: number; rel: number } };

const HIERARCHY = [
  ...['haeZero', 'haeLast', 'haeFinal', 'hiperRewardFixed', 'hiperRewardNormalized'],
  ...['himac', 'himacNested', 'archer', 'vsc'],
];
const WORDS = ['poad', 'ntpo', 'poadLambda1', 'actionGae', 'actionGaeLambda1'];

test.each(['dual', 'heron', 'miraLabels', 'spa', 'oni', 'rlvmr', 'rlvmrNewAction', 'igpo', ...WORDS, ...HIERARCHY])(
  '%s is as the golden file says in every case',
  (key) => {
    for (const golden of cases) {
      const one = { ...golden, expected: { [key]: golden.expected[key]! } };
      expect(checkRewardCase(one, tolerance), golden.name).toMatchObject([{ key, built: true, passed: true }]);
    }
  },
);
