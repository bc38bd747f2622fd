import { describe, expect, test } from 'vitest';
import golden from '../fixtures/levelReplay.json' with { type: 'json' };
import { checkTaskCase } from './conformance.ts';
import { endlessProbability, placeOf, replayDistribution, replayProbability } from './replayDistribution.ts';

const RULE = { temperature: 0.5, staleness: 0.25 };

test.each(golden.cases)('the golden values of $name come out', (c) => {
  const checks = checkTaskCase(c, golden.tolerance);
  expect(checks.map(({ key }) => key)).toEqual(['levelReplay.replayDistribution', 'levelReplay.replayProbability']);
  expect(checks.filter(({ passed }) => !passed)).toEqual([]);
});

describe('the distribution of replays', () => {
  test('is rank and age, by hand: scores 3, unseen, 5, 3 at β = ½ have ranks 2, –, 1, 3 and weights ¼, 0, 1, 1/9', () => {
    const P = replayDistribution({ score: [3, 9, 5, 3], seen: [1, 0, 1, 1], age: [1, 7, 0, 3] }, RULE);
    const total = 1 / 4 + 1 + 1 / 9;
    // 0.75 · rank part + 0.25 · age / 4
    const want = [(0.75 / 4 + 0) / total + 0.25 / 4, 0, 0.75 / total, 0.75 / 9 / total + (0.25 * 3) / 4];
    want.forEach((w, k) => expect(P[k]).toBeCloseTo(w, 12));
  });

  test('sums to 1 wherever something was seen, and is 0 everywhere where nothing was', () => {
    const score = [0.2, 0.9, 0.4, 0.4];
    for (const seen of [
      [1, 0, 0, 0],
      [0, 1, 0, 1],
      [1, 1, 1, 1],
    ]) {
      const P = replayDistribution({ score, seen, age: [0, 2, 5, 1] }, RULE);
      expect(P.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
      expect(P.every((p, k) => p > 0 === (seen[k] === 1))).toBe(true);
    }
    expect([...replayDistribution({ score, seen: [0, 0, 0, 0], age: [1, 1, 1, 1] }, RULE)]).toEqual([0, 0, 0, 0]);
  });

  test('is uniform over the levels seen where all scores agree, as ranks would be arbitrary', () => {
    const levels = { score: [0, 7, 0, 0], seen: [1, 0, 1, 1], age: [4, 1, 4, 4] };
    const P = replayDistribution(levels, { temperature: 0.1, staleness: 0.5 });
    [1 / 3, 0, 1 / 3, 1 / 3].forEach((w, k) => expect(P[k]).toBeCloseTo(w, 12));
  });

  test('goes by age alone with ρ = 1, and treats all alike where every age is 0', () => {
    const levels = { score: [3, 1, 2], seen: [1, 1, 1] };
    const byAge = replayDistribution({ ...levels, age: [1, 3, 0] }, { temperature: 1, staleness: 1 });
    expect([...byAge]).toEqual([0.25, 0.75, 0]);
    const fresh = replayDistribution({ ...levels, age: [0, 0, 0] }, { temperature: 1, staleness: 1 });
    expect([...fresh]).toEqual([1 / 3, 1 / 3, 1 / 3]);
  });

  test('stays finite with the smallest temperature and thousands of levels', () => {
    const score = Array.from({ length: 4096 }, (_, k) => k);
    const P = replayDistribution(
      { score, seen: score.map(() => 1), age: score },
      { temperature: 0.05, staleness: 0.1 },
    );
    expect(P.every(Number.isFinite)).toBe(true);
    expect(P.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
  });
});

test('a replay is impossible before the warm-up, has the chance 1 − ν after it, and is certain when all levels were seen', () => {
  const rule = { schedule: 'fixed', warmFraction: 0.2, newProbability: 0.3 } as const;
  expect([0, 1, 2, 5, 10].map((seen) => replayProbability(seen, 10, rule))).toEqual([0, 0, 0.7, 0.7, 1]);
  const proportionate = { ...rule, schedule: 'proportionate' } as const;
  expect([0, 1, 5, 10].map((seen) => replayProbability(seen, 10, proportionate))).toEqual([0, 0.1, 0.5, 1]);
});

test('where levels have no end a new one always keeps its chance', () => {
  const rule = { schedule: 'proportionate', warmFraction: 0.2, newProbability: 0.25 } as const;
  expect([0, 1, 8, 10].map((seen) => endlessProbability(seen, 10, rule))).toEqual([0, 0.1, 0.75, 0.75]);
  expect([1, 2, 10].map((seen) => endlessProbability(seen, 10, { ...rule, schedule: 'fixed' }))).toEqual([
    0, 0.75, 0.75,
  ]);
});

test('a place of a distribution is taken as often as it says, and one of probability 0 never', () => {
  const P = [0, 0.25, 0, 0.5, 0.25, 0];
  const hits = P.map(() => 0);
  for (let k = 0; k < 1000; k++) hits[placeOf(P, k / 1000)]!++;
  expect(hits).toEqual([0, 250, 0, 500, 250, 0]);
  expect(placeOf(P, 1 - 2 ** -24)).toBe(4);
});
