import { describe, expect, test } from 'vitest';
import golden from '../../fixtures/returning.json' with { type: 'json' };
import { checkReturningCase } from './conformance.ts';
import { imitationWeight, intrinsicWeight, recalibrate } from '../spear/rules.ts';
import { stepWeights, trajectoryWeights } from './trajectoryWeights.ts';

test.each(golden.cases)('the golden values of $name come out', (c) => {
  const checks = checkReturningCase(c as never, golden.tolerance);
  expect(checks.map(({ key }) => key)).toEqual(Object.keys(c.expected).map((key) => `${c.kind}.${key}`));
  expect(checks.filter(({ passed }) => !passed)).toEqual([]);
});

describe('recalibration', () => {
  const past = { update: [9, 5, 4, 9, 9], outcome: [1, 1, 1, 0.5, 1], storedAdvantage: [1, 0.5, 2, 1, -1] };
  test('keeps what is young enough, was good then and is good now, by hand: the median of 0, ¼, ¾, 1 is ½', () => {
    const { baseline, keep, advantage } = recalibrate(past, [1, 0, 0.75, 0.25], { now: 10, maxAge: 5 });
    expect(baseline).toBe(0.5);
    expect(keep).toEqual([1, 1, 0, 0, 0]);
    expect(advantage).toEqual([0.5, 0.5, 0, 0, 0]);
  });

  test('keeps nothing without a history, and nothing of 0 and 1 once most groups succeed', () => {
    for (const history of [[], [1, 1, 0]])
      expect(recalibrate(past, history, { now: 10, maxAge: 5 }).keep).toEqual([0, 0, 0, 0, 0]);
  });
});

test('one weight rises from 0 to its coefficient while the other falls from 1 to 0, and both stay there', () => {
  expect([0, 30, 60, 90].map((u) => imitationWeight(u, 60, 2))).toEqual([0, 1, 2, 2]);
  expect([0, 30, 60, 90].map((u) => intrinsicWeight(u, 60))).toEqual([1, 0.5, 0, 0]);
});

describe('weights of trajectories', () => {
  test('do not change when all returns are moved or stretched', () => {
    const plain = trajectoryWeights([0, 1, 3], 0.5);
    trajectoryWeights([-7, -5, -1], 0.5).forEach((w, i) => expect(w).toBeCloseTo(plain[i]!, 12));
    expect(plain[2]! / plain[0]!).toBeCloseTo(Math.exp(2), 9);
  });

  test('count an episode once, and its steps as often as there are where steps are drawn', () => {
    expect([...trajectoryWeights([1, 1], 0.1)]).toEqual([0.5, 0.5]);
    const steps = stepWeights([1, 1], [3, 1], 0.1);
    expect(3 * steps[0]! + steps[1]!).toBeCloseTo(1, 12);
    expect(steps[0]).toBe(steps[1]);
  });

  test('stay finite where the temperature is tiny, and are none of nothing', () => {
    expect([...trajectoryWeights([0, 5], 1e-6)]).toEqual([0, 1]);
    expect(trajectoryWeights([], 0.1)).toHaveLength(0);
  });
});
