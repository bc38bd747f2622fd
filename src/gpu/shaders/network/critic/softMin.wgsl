// Soft minimum of two values, V = −α·log(½(e^(−V₁/α) + e^(−V₂/α))) with SAFE's α: between the smaller and the mean of both.
// Shifted by the smaller, nothing overflows.

const SOFT_MIN_ALPHA = 0.3;

fn softMin(a : f32, b : f32) -> f32 {
  let far = exp(-abs(a - b) / SOFT_MIN_ALPHA);
  return min(a, b) - SOFT_MIN_ALPHA * log(0.5 * (1.0 + far));
}
