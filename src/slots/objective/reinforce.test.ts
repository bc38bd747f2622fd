import { expect, test } from 'vitest';
import { goldenObjective } from '../../check/conformance/golden.ts';
import { reinforce } from './reinforce.ts';

test('credit 2 at probability e⁻³, by hand', () => {
  const out = { loss: 0, kappa: 0, clip: 9 };
  reinforce.coefficient({ A: 2, delta: 5, logp: -3 }, {}, out);
  expect(out).toEqual({ loss: 6, kappa: -2, clip: 0 });
});

test('the golden values hold in every case', () => {
  const entries = goldenObjective('reinforce');
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
