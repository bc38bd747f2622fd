import { expect, test } from 'vitest';
import { log } from '../../core/fmath.ts';
import { defaultsOf } from '../../core/settings.ts';
import { goldenObjective } from '../conformance/golden.ts';
import { aepo } from './aepo.ts';
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
