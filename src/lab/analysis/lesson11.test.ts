import { expect, test } from 'vitest';
import { PURPOSE, random, uniform } from '../../core/random.ts';
import {
  coverage,
  crossing,
  exactPassCurve,
  fourCells,
  passCurve,
  passIntervals,
  passKs,
} from '../../slots/metrics/passK.ts';

/** Lesson 11: the goal is behind one of four arms with these chances, and cannot be seen. Twenty tasks have them exactly. */
const GOALS = [11, 5, 3, 1];
const KS = [1, 2, 3, 4, 8, 16];
const tasksOf = (policy: readonly number[]): number[] =>
  GOALS.flatMap((n, arm) => Array.from({ length: n }, () => policy[arm]!));
const base = tasksOf([0.25, 0.25, 0.25, 0.25]);
const trained = tasksOf([0.97, 0.01, 0.01, 0.01]);

test('exact pass@k of both policies are those of the specification', () => {
  const rounded = (p: readonly number[]): number[] => exactPassCurve(p, KS).map((x) => Number(x.toFixed(3)));
  expect(rounded(base)).toEqual([0.25, 0.438, 0.578, 0.684, 0.9, 0.99]);
  expect(rounded(trained)).toEqual([0.538, 0.558, 0.563, 0.568, 0.585, 0.617]);
});

test('the curves cross at k = 3, between 2 and 4', () => {
  const at = crossing(KS, exactPassCurve(base, KS), exactPassCurve(trained, KS))!;
  expect(at).toBeGreaterThan(2);
  expect(at).toBeLessThan(4);
  // on the ks of a panel, where 3 is missing, the same to a few per cent
  const ks = passKs(16);
  expect(ks).toEqual([1, 2, 4, 8, 16]);
  expect(crossing(ks, exactPassCurve(base, ks), exactPassCurve(trained, ks))!).toBeCloseTo(at, 0);
  expect(crossing(ks, exactPassCurve(trained, ks), exactPassCurve(base, ks))).toBeNull();
  expect(crossing(ks, [0, 0, 0, 0, 0], [1, 1, 1, 1, 1])).toBeNull();
});

test('the crossing is interpolated in log k', () => {
  // ahead by 0.2 at k = 1, behind by 0.2 at k = 4: half way in log k
  expect(crossing([1, 4], [0.4, 0.6], [0.6, 0.4])).toBeCloseTo(2, 12);
  expect(crossing([1, 2, 4], [0.4, 0.5, 0.6], [0.6, 0.5, 0.4])).toBeCloseTo(2, 12);
});

test('the unbiased estimator stays within three standard errors of the exact value', () => {
  const n = 32;
  const panels = 200;
  for (const [who, p] of [base, trained].entries()) {
    const curves = Array.from({ length: panels }, (_, r) => {
      const c = p.map((chance, j) => {
        let wins = 0;
        for (let i = 0; i < n; i++) if (uniform(random(7, PURPOSE.panelAction, r, 2 * j + who, i)) < chance) wins++;
        return wins;
      });
      return passCurve(n, c, KS);
    });
    exactPassCurve(p, KS).forEach((want, k) => {
      const got = curves.map((curve) => curve[k]!);
      const mean = got.reduce((a, b) => a + b, 0) / panels;
      const se = Math.sqrt(got.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (panels - 1) / panels);
      expect(Math.abs(mean - want), `k ${KS[k]}`).toBeLessThanOrEqual(3 * se);
    });
  }
});

test('four cells, coverage and intervals', () => {
  expect(fourCells([0, 3, 1, 0], [2, 0, 5, 0])).toEqual({ both: 1, onlyBase: 1, onlyTrained: 1, neither: 1 });
  expect(coverage([0, 3, 1, 0])).toBe(0.5);
  expect(passIntervals(8, [1, 2], [1])).toBeNull();
  const [[low, high]] = passIntervals(8, [0, 2, 4, 8], [1]) as [[number, number]];
  expect(low).toBeGreaterThanOrEqual(0);
  expect(high).toBeLessThanOrEqual(1);
  expect(low).toBeLessThan(14 / 32);
  expect(high).toBeGreaterThan(14 / 32);
});
