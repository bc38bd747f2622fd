import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import type { UnitSet } from '../types.ts';
import { batchReward, rover } from './rover.ts';
import { meanLogp } from '../../core/math/distribution.ts';

/** Marks of two episodes of three steps and one. */
function marksOf(tau: number, reward = 'credit'): number[] {
  const four = (...x: number[]): Float64Array => Float64Array.from(x);
  const set: UnitSet = {
    ...{ A: four(1, 1, 1, -0.5), delta: four(0.2, 0, -0.1, 0.4), logp: four(-1, -1, -1, -1), prox: four(0, 0, 0, 0) },
    ...{ meanChange: four(9, -0.25, 0.5, 7), trajectory: Uint32Array.of(0, 0, 0, 2), draw: () => 0 },
    ...{ outcome: Float32Array.of(1, 0, 0), task: Uint32Array.of(0, 0, 0), scoreNorms: () => four() },
  };
  const mark = new Float64Array(4);
  rover.survey!(set, { ...defaultsOf(rover.params), tau, reward: reward as 'credit' }, mark);
  return [...mark];
}

test('y is the credit and what a random policy gained at the next step, and the credit alone at the last, by hand', () => {
  expect(marksOf(2)).toEqual([1 - 0.5, 1 + 1, 1, -0.5]);
});

test('by shares in the batch, success pays 5 times the share of failures and failure −2 times that of successes', () => {
  // one of four has paid more than 0: 5·¾ for it, −2·¼ for the others, whatever their credit, task or place
  expect([...batchReward(Float32Array.of(0, 0.3, -2, 0))]).toEqual([-0.5, 3.75, -0.5, -0.5]);
  expect([...batchReward(Float32Array.of(1, 2))]).toEqual([0, 0]);
  expect([...batchReward(Float32Array.of(0, -1))].map(Math.abs)).toEqual([0, 0]);
  expect(batchReward(Float32Array.of(NaN, 1))[0]).toBeNaN();
  // episode 0 of three is the one that was paid, episode 2 was not; the middle one is not in this minibatch
  const [good, bad] = [5 * (1 - 1 / 3), -2 / 3];
  const want = [good - 0.5, good + 1, good, bad];
  marksOf(2, 'batch').forEach((y, u) => expect(y).toBeCloseTo(want[u]!, 12));
});

test('the slope pulls q to y: 2τ(τΔ − y)', () => {
  const out = { loss: 9, kappa: 9, clip: 9 };
  rover.coefficient({ A: 1, delta: 0.2, logp: -1, mark: 0.5 }, { ...defaultsOf(rover.params), tau: 2 }, out);
  // q = 0.4
  expect(out.loss).toBeCloseTo(0.01, 12);
  expect(out.kappa).toBeCloseTo(-0.4, 12);
  expect(out.clip).toBe(0);
  expect(defaultsOf(rover.params)).toEqual({ reward: 'credit', tau: 1, clip: 0 });
});

// caps ε = 0.2: log 1.2 = 0.1823, log 0.8 = −0.2231; q = Δ
test.each([
  ['inside', 0.1, 5, { loss: (0.1 - 5) ** 2, kappa: 2 * (0.1 - 5), clip: 0 }],
  ['above, pulled further up', 0.3, 5, { loss: (Math.log(1.2) - 5) ** 2, kappa: 0, clip: 1 }],
  ['above, pulled back', 0.3, 0.25, { loss: 0.05 ** 2, kappa: 2 * 0.05, clip: 0 }],
  ['below, pulled further down', -0.5, -0.6, { loss: (Math.log(0.8) + 0.6) ** 2, kappa: 0, clip: 2 }],
  ['below, pulled up past the other cap', -0.5, 5, { loss: 5.5 ** 2, kappa: -11, clip: 0 }],
])('a cap holds values where the target lies further out: %s', (_, delta, mark, { loss, kappa, clip }) => {
  const out = { loss: 9, kappa: 9, clip: 9 };
  rover.coefficient({ A: 1, delta, logp: -1, mark }, { ...defaultsOf(rover.params), clip: 0.2 }, out);
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
