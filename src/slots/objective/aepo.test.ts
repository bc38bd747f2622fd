import { expect, test } from 'vitest';
import { log } from '../../core/fmath.ts';
import { defaultsOf } from '../../core/settings.ts';
import { goldenObjective } from '../../check/conformance/golden.ts';
import { aepo, closeGate } from './aepo.ts';
import { cispo } from './cispo.ts';

const at = (A: number, ratio: number) => {
  const out = { loss: 0, kappa: 0, clip: 9 };
  aepo.coefficient({ A, delta: log(ratio), logp: -1 }, defaultsOf(aepo.params), out);
  return out;
};

test('a good action above the bound keeps the gradient of the bound, by hand', () => {
  // bound 1.28: the loss stays at −2·1.28 as with PPO, κ is −2·1.28 instead of 0
  expect(at(2, 5)).toEqual({ loss: -2.56, kappa: -2.56, clip: 0 });
  expect(at(-2, 5)).toMatchObject({ loss: 6, kappa: 0, clip: 3 });
  expect(at(-2, 0.5)).toMatchObject({ kappa: 0, clip: 2 });
});

test('beyond the guard at Δ = 20 the ratio is constant, and so is the bound that follows it', () => {
  // up to 20 the derivative of −A·1.28·ρ/sg(ρ) is −A·1.28, beyond it 0
  expect(at(2, Math.exp(19.9))).toMatchObject({ kappa: -2.56, clip: 0 });
  for (const delta of [20.1, 27, 80]) expect(at(2, Math.exp(delta))).toEqual({ loss: -2.56, kappa: 0, clip: 4 });
});

test('with a gate only what is above the quantile keeps the gradient of the bound, by hand', () => {
  const mark = new Float64Array(5).fill(9);
  // the median is 0.5; what equals it, up to rounding, is not above it
  closeGate(Float64Array.of(0.5, 0.1, 0.9, 0.5 + 1e-6, 1.3), 0.5, mark);
  expect([...mark]).toEqual([1, 1, 0, 1, 0]);
  const params = { ...defaultsOf(aepo.params), gate: 0.5 };
  const judged = (ratio: number, isClosed: number) => {
    const out = { loss: 0, kappa: 9, clip: 9 };
    aepo.coefficient({ A: 2, delta: log(ratio), logp: -1, mark: isClosed }, params, out);
    return out;
  };
  expect(judged(5, 0)).toEqual(at(2, 5));
  // closed: held as by PPO above the bound, and the same below it
  expect(judged(5, 1)).toMatchObject({ loss: -2.56, clip: 1 });
  expect(judged(5, 1).kappa === 0).toBe(true);
  expect(judged(1.1, 1)).toEqual(at(2, 1.1));
});

test('above the bound it pushes good actions like CISPO', () => {
  for (const ratio of [1.3, 2, 400]) {
    const out = { loss: 0, kappa: 0, clip: 0 };
    cispo.coefficient({ A: 0.7, delta: log(ratio), logp: -1 }, { epsLow: 1, epsHigh: 0.28 }, out);
    expect(at(0.7, ratio).kappa).toBe(out.kappa);
  }
});

test('the golden values of aepo hold in every case', () => {
  const entries = goldenObjective('aepo');
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
