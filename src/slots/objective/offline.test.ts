import fc from 'fast-check';
import { expect, test } from 'vitest';
import { log } from '../../core/fmath.ts';
import { defaultsOf } from '../../core/settings.ts';
import { goldenObjective } from '../../check/conformance/golden.ts';
import { alolTerm, type AlolForm } from './alol.ts';
import { targetCredit, targetShare, targetTemperature } from './dcpo.ts';
import { scaleNegativeCredit } from './guiLibra.ts';
import { topSet } from '../../core/math/topSet.ts';
import { pairLoss, sigmoid } from './preference.ts';
import { rlPlus, rlPlusTerm } from './rlPlus.ts';
import { roverTarget, roverTerm } from './rover.ts';

test('DCPO: half of the target share where a third succeeded, and none where nobody did, by hand', () => {
  // gap 0.3 counts 0.1; 0.1/0.25 = 0.4; 0.4/1.4
  expect(targetShare(0.2, 0.5, 0.25)).toBeCloseTo(0.4 / 1.4, 12);
  expect(targetShare(0.2, 0.5, 0)).toBe(0);
  expect([targetTemperature(0.5, 0.5), targetTemperature(0.6, 0.5)]).toEqual([1.2, 0.8]);
  expect(targetCredit(2, 0.25, true, 4)).toBe(2.5);
  expect(targetCredit(2, 0.25, false, 4)).toBe(1.5);
});

test('GUI-Libra halves bad credit where nobody succeeds and leaves it from a third on, by hand', () => {
  const batch = {
    B: 4,
    T: 2,
    taskIndex: Uint32Array.of(0, 0, 1, 1),
    outcome: Float32Array.of(0, 0, 1, 0),
  };
  const A = Float32Array.of(-2, 1, -4, 0, 3, -3, -1, 0);
  expect([...scaleNegativeCredit(A, batch, 0.5, 1.5)]).toEqual([-1, 1, -2, 0, 3, -3, -1, 0]);
});

test('RL-PLUS: a certain demonstrated action teaches nothing, an unlikely one pulls, with the slope it claims', () => {
  const at = (logp: number, logpOld: number, isDemo: boolean) => {
    const out = { loss: 0, kappa: 0, clip: 9 };
    rlPlusTerm({ A: 1, logp, logpOld, isDemo }, defaultsOf(rlPlus.params), out);
    return out;
  };
  expect(at(0, -1, true).kappa === 0).toBe(true);
  // rounding can leave log π a little above 0
  expect(at(1e-12, -1, true).kappa === 0).toBe(true);
  // π = ¼, π_old = ⅓: −√¾·½/1
  expect(at(log(0.25), log(1 / 3), true).kappa).toBeCloseTo(-Math.sqrt(0.75) / 2, 12);
  expect(at(-1, -1, false)).toEqual({ loss: -1, kappa: -1, clip: 0 });
  expect(at(-1, -30, false)).toMatchObject({ kappa: 0, clip: 4 });
});

test('ROVER: the target looks one unit ahead inside a trajectory, and the first step is REINFORCE with 2wr̃', () => {
  const y = roverTarget(Float64Array.of(1, 1, 5), Float64Array.of(9, 0.5, 7), Uint32Array.of(0, 0, 1), 2);
  expect([...y]).toEqual([2, 1, 5]);
  const out = { loss: 0, kappa: 0, clip: 9 };
  roverTerm(0, 1.5, 2, out);
  expect(out).toEqual({ loss: 2.25, kappa: -6, clip: 0 });
});

test('A-LoL: the forms by hand; the KL form pushes down data without credit', () => {
  const at = (form: AlolForm, positive = 2) => {
    const out = { loss: 0, kappa: 0 };
    alolTerm(form, { positive, logp: -1, deltaRef: log(1.5), sum: log(4) }, 0.9, 0.05, out);
    return out;
  };
  expect(at('refFree')).toEqual({ loss: 2, kappa: -2 });
  expect(at('trajectory').kappa).toBeCloseTo(-3.8, 12);
  expect(at('perUnit').kappa).toBeCloseTo(-3, 12);
  expect(at('kl', 0).kappa).toBeCloseTo(0.05, 12);
});

test('preference losses have the slope they claim; without a pair there is none', () => {
  const score = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 4, maxLength: 4 });
  const pairs = [
    { winner: 0, loser: 1, weight: 1 },
    { winner: 2, loser: 1, weight: 3 },
  ];
  fc.assert(
    fc.property(score, fc.constantFrom(0.5, 1), (s, lambda) => {
      const h = 1e-5;
      const { slope } = pairLoss(Float64Array.from(s), pairs, 0.7, lambda);
      s.forEach((_, k) => {
        const at = (by: number): number =>
          pairLoss(
            Float64Array.from(s, (x, j) => (j === k ? x + by : x)),
            pairs,
            0.7,
            lambda,
          ).loss;
        expect(Math.abs((at(h) - at(-h)) / (2 * h) - slope[k]!)).toBeLessThan(1e-8);
      });
    }),
  );
  expect(pairLoss(Float64Array.of(1, 2), [], 1, 1)).toEqual({ loss: 0, slope: new Float64Array(2) });
  // scores a thousand apart: no overflow
  expect(pairLoss(Float64Array.of(-1000, 1000), [{ winner: 0, loser: 1, weight: 1 }], 1, 1).loss).toBe(2000);
  expect(sigmoid(-1000)).toBe(0);
});

test('NLPO keeps the smallest set that reaches p, ties by index, and never loses the stored action, by hand', () => {
  const mask = Float64Array.of(0.25, 0.25, 0.5, 0);
  expect(topSet(mask, 0, 4, { topP: 0.7, minKeep: 1 })).toBe(0b101);
  expect(topSet(mask, 0, 4, { topP: 0.1, minKeep: 9 })).toBe(0b111);
});

test.each([
  ...['rlPlus', 'alol_refFree', 'alol_kl', 'alol_trajectory', 'alol_perUnit'],
  ...['dpo', 'wDpo', 'cpl', 'cplKl', 'negativeScale'],
])('the golden values of %s hold in every case', (key) => {
  const entries = goldenObjective(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
