import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkRewardCase, type RewardCase } from './rewardCase.ts';

const { cases, tolerance } = JSON.parse(
  readFileSync(new URL('../../slots/fixtures/reward-hierarchy.json', import.meta.url), 'utf8'),
) as { cases: RewardCase[]; tolerance: { abs: number; rel: number } };

test.each(['pbrs', 'pbrsKeep', 'pbrsUndiscounted', 'gra', 'ladder', 'carl', 'eapo', 'hbpo', 'subpo'])(
  '%s is paid as the golden file says in every case',
  (key) => {
    for (const golden of cases) {
      const one = { ...golden, expected: { [key]: golden.expected[key]! } };
      expect(checkRewardCase(one, tolerance), golden.name).toMatchObject([{ key, built: true, passed: true }]);
    }
  },
);

test('a wrong value, a missing signal and a missing parameter are all noticed', () => {
  const golden = cases[0]!;
  const expected = golden.expected['gra'] as { outcome: number[] };
  const wrong = { ...expected, outcome: expected.outcome.map((R) => R + 0.01) };
  expect(checkRewardCase({ ...golden, expected: { gra: wrong } }, tolerance)[0]!.passed).toBe(false);
  const { phi: _, ...inputs } = golden.inputs;
  const [entry] = checkRewardCase({ ...golden, inputs: inputs as RewardCase['inputs'] }, tolerance);
  expect(entry!.reason).toBe('inputs.phi is missing.');
  const [param] = checkRewardCase({ ...golden, params: {}, expected: { pbrs: golden.expected['pbrs']! } }, tolerance);
  expect(param!.reason).toBe('params.phiGamma is missing.');
});
