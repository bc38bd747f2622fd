/** L2 norm over count floats from `at`, summed in index order in f64. */
export function globalNorm(gradient: Float32Array, at = 0, count = gradient.length): number {
  let squares = 0;
  for (let k = at; k < at + count; k++) squares += gradient[k]! * gradient[k]!;
  return Math.sqrt(squares);
}

/** Factor that shortens a gradient of this norm to the limit: c/(‖g‖ + 1e-6) if ‖g‖ > c, else 1; limit 0 = off. */
export function clipFactor(norm: number, limit: number): number {
  return limit > 0 && norm > limit ? limit / (norm + 1e-6) : 1;
}

/** Shortens the gradient in place and returns its norm before, the number the chart shows. */
export function clipNorm(gradient: Float32Array, limit: number, at = 0, count = gradient.length): number {
  const norm = globalNorm(gradient, at, count);
  const factor = clipFactor(norm, limit);
  if (factor !== 1) for (let k = at; k < at + count; k++) gradient[k]! *= factor;
  return norm;
}
