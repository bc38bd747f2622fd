import fc from 'fast-check';
import { expect, test } from 'vitest';
import { log } from '../../core/fmath.ts';
import { goldenObjective } from '../../check/conformance/golden.ts';
import { extrapolated, igtStep } from '../optimizer/npgIgt.ts';
import { massBalance } from './massBalance.ts';
import { SafeController } from './safe.ts';
import { softMin } from '../../core/value.ts';
import { baselineCredit, stepFactor, truncatedWeight, varianceBaseline } from './vcpo.ts';

test('VCPO: weights ½ and 1 with equal scores give W = ¼ and 1, by hand', () => {
  const logs = [log(0.5), 0];
  expect(varianceBaseline([1, 0], logs, [1, 1], 'paper', log(8))).toBeCloseTo(0.2, 12);
  // the code multiplies by w̃² again: W = 1/16 and 1
  expect(varianceBaseline([1, 0], logs, [1, 1], 'code', log(8))).toBeCloseTo(1 / 17, 12);
  expect(stepFactor(0.25, 1, 'sqrt')).toBe(0.5);
  expect(stepFactor(0.9, 0.5, 'linear')).toBe(1);
});

test('VCPO: one trajectory, or equal returns, leave nothing to learn; huge weights do not overflow', () => {
  expect([...baselineCredit([3], varianceBaseline([3], [700], [2], 'paper', 2))]).toEqual([0]);
  fc.assert(
    fc.property(fc.array(fc.double({ min: -900, max: 900, noNaN: true }), { minLength: 2, maxLength: 6 }), (logs) => {
      const ones = logs.map(() => 1);
      const b = varianceBaseline(ones, logs, ones, 'code', log(8));
      expect(Math.abs(b - 1)).toBeLessThan(1e-12);
      for (const x of baselineCredit(ones, 1)) expect(x).toBe(0);
    }),
  );
  expect(truncatedWeight(900, log(8))).toBeCloseTo(8, 12);
  // no score has a length: the mean
  expect(varianceBaseline([1, 3], [0, 0], [0, 0], 'paper', 2)).toBe(2);
});

test('mass balance: the three terms are the first-order change of one exact step', () => {
  const p = [0.4, 0.1, 0.3, 0.2];
  const paid = { rewardCorrect: 1, rewardWrong: -1 };
  for (const eta of [1e-3, 1e-4]) {
    const { total, exactDelta } = massBalance(p, [1, 1, 0, 0], [2, 0, 1, 0], { ...paid, eta, rollouts: 3 });
    expect(Math.abs(total - exactDelta)).toBeLessThan(eta * eta);
  }
  // everything sampled: nothing unseen, so right mass cannot fall
  expect(massBalance(p, [1, 1, 0, 0], [1, 1, 1, 1], { ...paid, eta: 0.1, rollouts: 4 }).terms[2]).toBe(0);
});

test('SAFE: nothing is paid below the threshold, and the penalty has the slope it claims', () => {
  const settings = { baseThreshold: 0.3, entropyFloor: 2, kp: 0.3, ki: 0.01, kd: 0.05, targetVelocity: 0.001 };
  const first = (kl: number) => new SafeController(settings).step(kl, 1, 0.2);
  // warm-up: 0.3·1.5 = 0.45; a tenth of the first KL counts
  expect(first(4.4)).toMatchObject({ penalty: 0, slope: 0, gate: 1, phase: 0 });
  expect(first(4.4).threshold).toBeCloseTo(0.45, 12);
  const h = 1e-5;
  const numeric = (first(9 + h).penalty - first(9 - h).penalty) / (2 * h);
  expect(first(9).slope).toBeCloseTo(numeric, 8);
  expect(first(9).gate).toBeCloseTo(2 / 1.1, 12);
});

test('soft-min lies between the smaller value and the mean, with the weight as its slope', () => {
  const value = fc.double({ min: -30, max: 30, noNaN: true });
  fc.assert(
    fc.property(value, value, (a, b) => {
      const { V, weight1 } = softMin(a, b, 0.3);
      expect(V).toBeGreaterThanOrEqual(Math.min(a, b) - 1e-12);
      expect(V).toBeLessThanOrEqual((a + b) / 2 + 1e-12);
      const h = 1e-5;
      expect(Math.abs((softMin(a + h, b, 0.3).V - softMin(a - h, b, 0.3).V) / (2 * h) - weight1)).toBeLessThan(1e-6);
    }),
  );
});

test('N-PG-IGT: every step has length γ, zero gradients from the start are no step, and η₀ = 1 extrapolates nothing', () => {
  const start = Float64Array.of(1, 2);
  const state = { theta: start.slice(), thetaBefore: start.slice(), direction: new Float64Array(2), step: 0 };
  expect([...extrapolated(state, 0.8, 2)]).toEqual([1, 2]);
  igtStep(state, [0, 0], 0.5, 0.8, 2);
  expect([...state.theta]).toEqual([1, 2]);
  igtStep(state, [300, -400], 0.6, 0.8, 2);
  // γ₁ = 0.6·2/3 = 0.4 along (0.6, −0.8)
  expect(state.theta[0]).toBeCloseTo(1.24, 12);
  expect(state.theta[1]).toBeCloseTo(1.68, 12);
  expect([...state.thetaBefore]).toEqual([1, 2]);
});

test.each(['massBalance', 'safe', 'softMin', 'softMinWeight1', 'npgIgt'])('the golden values of %s hold', (key) => {
  const entries = goldenObjective(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
