import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { goldenObjective } from '../conformance/golden.ts';
import type { UnitSet } from '../types.ts';
import { meanLogp, rover } from './rover.ts';

/** Marks of two episodes of three steps and one. */
function marksOf(tau: number): number[] {
  const four = (...x: number[]): Float64Array => Float64Array.from(x);
  const set: UnitSet = {
    ...{ A: four(1, 1, 1, -0.5), delta: four(0.2, 0, -0.1, 0.4), logp: four(-1, -1, -1, -1), prox: four(0, 0, 0, 0) },
    ...{ meanChange: four(9, -0.25, 0.5, 7), trajectory: Uint32Array.of(0, 0, 0, 2), draw: () => 0 },
    ...{ outcome: Float32Array.of(1, 0, 0), task: Uint32Array.of(0, 0, 0), scoreNorms: () => four() },
  };
  const mark = new Float64Array(4);
  rover.survey!(set, { tau, clip: 0 }, mark);
  return [...mark];
}

test('y is the credit and what a random policy gained at the next step, and the credit alone at the last, by hand', () => {
  expect(marksOf(2)).toEqual([1 - 0.5, 1 + 1, 1, -0.5]);
});

test('the slope pulls q to y: 2τ(τΔ − y)', () => {
  const out = { loss: 9, kappa: 9, clip: 9 };
  rover.coefficient({ A: 1, delta: 0.2, logp: -1, mark: 0.5 }, { tau: 2, clip: 0 }, out);
  // q = 0.4
  expect(out.loss).toBeCloseTo(0.01, 12);
  expect(out.kappa).toBeCloseTo(-0.4, 12);
  expect(out.clip).toBe(0);
  expect(defaultsOf(rover.params)).toEqual({ tau: 1, clip: 0 });
});

// caps ε = 0.2: log 1.2 = 0.1823, log 0.8 = −0.2231; q = Δ
test.each([
  ['inside', 0.1, 5, (0.1 - 5) ** 2, 2 * (0.1 - 5), 0],
  ['above, pulled further up', 0.3, 5, (Math.log(1.2) - 5) ** 2, 0, 1],
  ['above, pulled back', 0.3, 0.25, 0.05 ** 2, 2 * 0.05, 0],
  ['below, pulled further down', -0.5, -0.6, (Math.log(0.8) + 0.6) ** 2, 0, 2],
  ['below, pulled up past the other cap', -0.5, 5, 5.5 ** 2, -11, 0],
])('a cap holds values where the target lies further out: %s', (_, delta, mark, loss, kappa, clip) => {
  const out = { loss: 9, kappa: 9, clip: 9 };
  rover.coefficient({ A: 1, delta, logp: -1, mark }, { tau: 1, clip: 0.2 }, out);
  expect(out.loss).toBeCloseTo(loss, 12);
  expect(out.kappa).toBeCloseTo(kappa, 12);
  expect(out.clip).toBe(clip);
});

test('the mean of log π is over the legal actions, and stays finite where π is too small for a float', () => {
  const p = Float32Array.of(9, 0.5, 0.25, 0.25, 0);
  expect(meanLogp(p, 1, 3, 0b111)).toBeCloseTo((Math.log(0.5) + 2 * Math.log(0.25)) / 3, 12);
  expect(meanLogp(p, 1, 3, 0b101)).toBeCloseTo((Math.log(0.5) + Math.log(0.25)) / 2, 12);
  expect(meanLogp(p, 1, 4, 0b1001)).toBeCloseTo((Math.log(0.5) - 87.336) / 2, 3);
});

test('the golden values hold in every case', () => {
  const entries = goldenObjective('rover');
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
