/** L2 norm, summed in index order in f64. */
export function globalNorm(gradient: Float32Array): number {
  let squares = 0;
  for (let k = 0; k < gradient.length; k++) squares += gradient[k]! * gradient[k]!;
  return Math.sqrt(squares);
}

/** Factor that shortens a gradient of this norm to the limit: c/(‖g‖ + 1e-6) if ‖g‖ > c, else 1; limit 0 = off. */
export function clipFactor(norm: number, limit: number): number {
  return limit > 0 && norm > limit ? limit / (norm + 1e-6) : 1;
}

/** Shortens the gradient in place and returns its norm before, the number the chart shows. */
export function clipByNorm(gradient: Float32Array, limit: number, norm = globalNorm(gradient)): number {
  const factor = clipFactor(norm, limit);
  if (factor !== 1) for (let k = 0; k < gradient.length; k++) gradient[k]! *= factor;
  return norm;
}
