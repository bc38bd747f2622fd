import { expect, test } from 'vitest';
import { fitLaw, fittedPoints, lawAt, type LawFacts } from './law.ts';

const plain: LawFacts = { entropyBonus: false, reset: false, lowest: 0, highest: 1 };
/** Points on R = −a·e^H + b, the entropy falling from `from` nats. */
const points = (n: number, a: number, b: number, from = 1.2) => {
  const H = Array.from({ length: n }, (_, k) => from - (k * from) / (2 * n));
  return { H, R: H.map((h) => -a * Math.exp(h) + b) };
};

test('the law itself is found again, with its ceiling and without flags', () => {
  const { H, R } = points(20, 0.2, 0.8);
  const fit = fitLaw(H, R, plain)!;
  expect(fit.a).toBeCloseTo(0.2, 9);
  expect(fit.b).toBeCloseTo(0.8, 9);
  expect(fit.ceiling).toBeCloseTo(0.6, 9);
  expect(fit.ceilingBefore).toBeCloseTo(0.6, 9);
  expect(fit.r2).toBeCloseTo(1, 9);
  expect(fit.flags).toEqual([]);
  expect(lawAt(fit, 0)).toBeCloseTo(0.6, 9);
});

test('it is fitted anew every ten evaluations, from the first one on', () => {
  expect([1, 9, 10, 19, 20, 21].map(fittedPoints)).toEqual([1, 9, 10, 10, 20, 20]);
  const { H, R } = points(19, 0.2, 0.8);
  // what came after the tenth does not count yet
  expect(fitLaw(H, [...R.slice(0, 10), ...R.slice(10).map(() => 0)], plain)!.r2).toBeCloseTo(1, 9);
  expect(fitLaw(H, R, plain)!.ceilingBefore).toBeNull();
});

test('each reason not to believe it has its flag', () => {
  const flags = (x: { H: number[]; R: number[] }, facts: Partial<LawFacts> = {}) =>
    fitLaw(x.H, x.R, { ...plain, ...facts })!.flags;
  expect(flags(points(7, 0.2, 0.8))).toEqual(['few']);
  expect(flags(points(10, -0.2, 0.1))).toEqual(['wrongSign']);
  expect(flags(points(10, 1.2, 4.9))).toEqual(['ceiling']);
  expect(flags(points(10, 0.2, 0.1))).toEqual(['ceiling']);
  expect(flags(points(10, 0.2, 0.8), { entropyBonus: true, reset: true })).toEqual(['bonus', 'reset']);
  const noisy = points(20, 0.2, 0.8);
  // success that never changes has nothing to explain: R² is undefined
  for (const R of [0, 0.1, 1]) {
    const flat = { H: noisy.H, R: noisy.H.map(() => R) };
    expect(fitLaw(flat.H, flat.R, plain)!.r2).toBeNull();
    expect(flags(flat)).toContain('loose');
  }
  expect(flags({ H: noisy.H, R: noisy.R.map((r, k) => r + (k % 2 === 0 ? 0.2 : -0.2)) })).toContain('loose');
});

test('nothing is fitted to one point or to constant entropy', () => {
  expect(fitLaw([1], [0.5], plain)).toBeNull();
  expect(fitLaw([1, 1, 1], [0.1, 0.2, 0.3], plain)).toBeNull();
});
