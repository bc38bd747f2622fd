import { expect, test } from 'vitest';
import { massBalance } from '../../slots/objective/massBalance.ts';
import { massCurve, rightActions } from './massCurve.ts';

test('mass balance: the curve is a mean over draws, and the danger is that of unsampled right actions', () => {
  const p = [0.45, 0.05, 0.3, 0.2];
  const right = [1, 1, 0, 0];
  const [few, many] = massCurve(p, right, [4, 512], (N) => N);
  // −Q⁻ Σ p_i² E[S·(i not drawn)] over right actions i, with E[…] = Σ_j R_j p_j ((1−p_i)^N − (1−p_i−p_j)^N) at N = 4
  let danger = 0;
  p.forEach((x, i) =>
    p.forEach((y, j) => {
      const chance = i === j ? 0 : (1 - x) ** 4 - (1 - x - y) ** 4;
      if (right[i] === 1) danger -= 0.5 * x * x * (right[j] === 1 ? 1 : -1) * y * chance;
    }),
  );
  expect(Math.abs(few!.terms[3] - danger)).toBeLessThan(0.002);
  // everything is drawn by then
  expect(many!.terms.slice(2)).toEqual([0, 0]);
  // four samples of a rare right action and of none else: the likely one that was not drawn loses more
  const [unlucky, lucky] = massCurve([0.2, 0.6, 0.05, 0.05, 0.1], [1, 1, 0, 0, 0], [2, 512], (N) => N);
  expect(unlucky!.harmed).toBeGreaterThan(0);
  expect(lucky!.harmed).toBe(0);
  for (const { terms, firstOrder } of [few!, many!])
    expect(terms.reduce((sum, x) => sum + x)).toBeCloseTo(firstOrder, 12);
  const { terms, unsampled } = massBalance(p, right, [1, 0, 1, 0], {
    rewardCorrect: 1,
    rewardWrong: -1,
    eta: 2,
    rollouts: 3,
  });
  expect(unsampled[0] + unsampled[1]).toBeCloseTo(terms[2], 12);
});

test('right actions are the best possible ones; where all are equal none is right', () => {
  expect(rightActions([0.9, 1, 1 - 1e-9, 5], [0.2, 0.3, 0.5, 0])).toEqual([0, 1, 1, 0]);
  expect(rightActions([1, 1, 0], [0.5, 0.5, 0])).toBeNull();
});
