import { expect, test } from 'vitest';
import { log } from '../../core/fmath.ts';
import { goldenObjective } from '../../check/conformance/golden.ts';
import { cispo } from './cispo.ts';

test('a ratio of 5 counts as 2 but keeps its gradient, by hand', () => {
  const out = { loss: 0, kappa: 0, clip: 9 };
  cispo.coefficient({ A: 3, delta: log(5), logp: -0.5 }, { epsLow: 1, epsHigh: 1 }, out);
  // weight 2: κ = −6, loss = −2·3·(−0.5) = 3
  expect(out).toEqual({ loss: 3, kappa: -6, clip: 0 });
});

test.each(['cispo', 'cispoUpper'])('the golden values of %s hold in every case', (key) => {
  const entries = goldenObjective(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
