import { mean } from '../../core/stats.ts';
import type { GradientNoise } from '../../slots/optimizer/gradientNoise.ts';

/** ‖E g‖² without bias and the trace of the covariance, from one update or as means over several. */
export type NoiseTerms = { readonly signalSq: number; readonly trace: number };

/** Updates whose numerators and denominators are averaged before they are divided. */
export const NOISE_UPDATES = 10;

/** Noise scale and SNR at n samples from the means of the terms of several updates. */
export function meanNoise(terms: readonly NoiseTerms[], n: number): Omit<GradientNoise, 'gradNorm'> {
  const signalSq = mean(terms.map((x) => x.signalSq));
  const trace = mean(terms.map((x) => x.trace));
  return {
    trace,
    signalSq,
    noiseScale: signalSq > 0 ? trace / signalSq : null,
    snr: trace > 0 ? (Math.max(signalSq, 0) * n) / trace : null,
  };
}
