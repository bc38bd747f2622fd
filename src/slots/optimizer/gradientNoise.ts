import { mean } from '../../core/stats.ts';

/** Null: undefined. The noise scale is undefined where no signal was found, the rest with fewer than two samples. */
export type GradientNoise = {
  readonly gradNorm: number;
  /** trace of the covariance of one sample's gradient */
  readonly trace: number | null;
  /** unbiased for the squared norm of the expected gradient; may be ≤ 0 */
  readonly signalSq: number | null;
  /** samples after which signal and noise are equal, and their ratio at this number of samples */
  readonly noiseScale: number | null;
  readonly snr: number | null;
};

/**
 * How much of a gradient is signal (McCandlish et al., arXiv 1812.06162), from the gradients g_i of n samples:
 *
 *   G = mean g     S = Σ‖g − G‖²/(n−1)     signal² = ‖G‖² − S/n     B = S/signal²     SNR = max(signal², 0)·n/S
 */
export function gradientNoise(samples: readonly ArrayLike<number>[]): GradientNoise {
  const n = samples.length;
  const size = samples[0]?.length ?? 0;
  const G = Float64Array.from({ length: size }, (_, k) => mean(samples.map((g) => g[k]!)));
  const normSq = G.reduce((total, x) => total + x * x, 0);
  let squares = 0;
  for (const g of samples) for (let k = 0; k < size; k++) squares += (g[k]! - G[k]!) ** 2;
  return noiseOf(n, normSq, squares);
}

/** The same from Σ‖g_i‖² and ‖G‖², where the gradients are too large to be kept. */
export function noiseFromSums(n: number, sumOfSquares: number, normSq: number): GradientNoise {
  return noiseOf(n, normSq, Math.max(0, sumOfSquares - n * normSq));
}

/** `spread`: Σ‖g_i − G‖². */
function noiseOf(n: number, normSq: number, spread: number): GradientNoise {
  const gradNorm = Math.sqrt(normSq);
  if (n < 2) return { gradNorm, trace: null, signalSq: null, noiseScale: null, snr: null };
  const trace = spread / (n - 1);
  const signalSq = normSq - trace / n;
  return {
    gradNorm,
    trace,
    signalSq,
    noiseScale: signalSq > 0 ? trace / signalSq : null,
    snr: trace > 0 ? (Math.max(signalSq, 0) * n) / trace : null,
  };
}

/**
 * The same from squared norms at two batch sizes b < B, where gradients of single samples are too costly:
 *
 *   signal² = (B‖G_B‖² − b‖G_b‖²)/(B − b)     S = (‖G_b‖² − ‖G_B‖²)/(1/b − 1/B)
 *
 * Both are without bias, their quotient is not: it is taken of means over several updates, see `meanNoise`.
 */
export function twoBatchNoise(smallNormSq: number, bigNormSq: number, b: number, B: number) {
  const signalSq = (B * bigNormSq - b * smallNormSq) / (B - b);
  const trace = (smallNormSq - bigNormSq) / (1 / b - 1 / B);
  return { signalSq, trace, noiseScale: signalSq > 0 ? trace / signalSq : null };
}
