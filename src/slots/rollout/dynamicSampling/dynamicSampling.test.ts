import fc from 'fast-check';
import { expect, test } from 'vitest';
import golden from '../../fixtures/budgets.json' with { type: 'json' };
import { checkRounds, type RoundsCase } from '../conformance.ts';
import { keepGroups } from './rounds.ts';

const cases = golden.cases.filter(({ kind }) => kind === 'dynamicSampling') as unknown as RoundsCase[];

test.each(cases)('the golden values of $name come out', (c) => {
  const checks = checkRounds(c);
  expect(checks.length).toBe(4);
  expect(checks.filter(({ passed }) => !passed)).toEqual([]);
});

test('by hand: two of three groups are wanted, the second round brings one too many', () => {
  const rounds = [
    {
      group: [0, 1, 2],
      outcome: [
        [0, 1],
        [1, 1],
        [0, 0],
      ],
    },
    {
      group: [3, 4, 5],
      outcome: [
        [0, 0],
        [1, 0],
        [0, 1],
      ],
    },
  ];
  const of = (targetGroups: number, maxRounds: number) => keepGroups(rounds, { targetGroups, maxRounds });
  expect(of(2, 9)).toEqual({ kept: [0, 4], used: 2, sampled: 6, status: 'full' });
  expect(of(1, 9)).toEqual({ kept: [0], used: 1, sampled: 3, status: 'full' });
  expect(of(2, 1)).toEqual({ kept: [0], used: 1, sampled: 3, status: 'partial' });
  expect(keepGroups([{ group: [7], outcome: [[1, 1]] }], { targetGroups: 1, maxRounds: 3 })).toEqual({
    ...{ kept: [], used: 1, sampled: 1, status: 'skip' },
  });
  // a group of one is not compared; returns that differ by rounding agree
  expect(keepGroups([{ group: [7], outcome: [[1]] }], { targetGroups: 1, maxRounds: 3 }).status).toBe('full');
  expect(keepGroups([{ group: [7], outcome: [[0.1 + 0.2, 0.3]] }], { targetGroups: 1, maxRounds: 3 }).status).toBe(
    'skip',
  );
});

test('what is kept has a spread, is at most what is wanted, and does not depend on rounds that were not needed', () => {
  const round = fc.array(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 2, maxLength: 4 }), {
    minLength: 4,
    maxLength: 4,
  });
  fc.assert(
    fc.property(fc.array(round, { maxLength: 5 }), fc.integer({ min: 1, max: 6 }), (outcomes, targetGroups) => {
      const rounds = outcomes.map((outcome, r) => ({ group: outcome.map((_, k) => 4 * r + k), outcome }));
      const whole = keepGroups(rounds, { targetGroups, maxRounds: 4 });
      const all = outcomes.flat();
      for (const g of whole.kept) expect(new Set(all[g]!).size).toBe(2);
      expect(whole.kept.length).toBeLessThanOrEqual(targetGroups);
      expect(keepGroups(rounds.slice(0, whole.used), { targetGroups, maxRounds: 4 })).toEqual(whole);
      if (whole.status !== 'full') expect(whole.used).toBe(Math.min(4, rounds.length));
    }),
  );
});
