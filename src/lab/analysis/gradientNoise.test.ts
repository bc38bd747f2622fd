import { expect, test } from 'vitest';
import { goldenObjective } from '../../check/conformance/golden.ts';
import { meanNoise } from './noiseMean.ts';
import { gradientNoise, twoBatchNoise } from '../../slots/optimizer/gradientNoise.ts';

test('two samples, by hand', () => {
  // G = (2, 0), S = 1 + 1 = 2, signal² = 4 − 1 = 3
  expect(
    gradientNoise([
      [1, 0],
      [3, 0],
    ]),
  ).toEqual({ gradNorm: 2, trace: 2, signalSq: 3, noiseScale: 2 / 3, snr: 3 });
  // opposite gradients hold no signal
  expect(gradientNoise([[1], [-1]])).toMatchObject({ gradNorm: 0, signalSq: -1, noiseScale: null, snr: 0 });
  expect(gradientNoise([[3, 4]])).toEqual({ gradNorm: 5, trace: null, signalSq: null, noiseScale: null, snr: null });
});

test('both forms agree when the norms are the expected ones', () => {
  // ‖G_b‖² = signal² + S/b with signal² = 3, S = 8
  expect(twoBatchNoise(3 + 8 / 2, 3 + 8 / 16, 2, 16)).toEqual({ signalSq: 3, trace: 8, noiseScale: 8 / 3 });
});

test('over several updates numerator and denominator are averaged before they are divided', () => {
  const terms = [
    { signalSq: 3, trace: 8 },
    { signalSq: -1, trace: 4 },
  ];
  expect(meanNoise(terms, 16)).toEqual({ signalSq: 1, trace: 6, noiseScale: 6, snr: 16 / 6 });
  expect(meanNoise(terms.slice(1), 16)).toMatchObject({ noiseScale: null, snr: 0 });
});

test('the golden values of gradient hold', () => {
  const entries = goldenObjective('gradient');
  expect(entries.length).toBe(1);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
