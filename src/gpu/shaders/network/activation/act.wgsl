// Activations by `dims.kind` of the kernel this is linked to: 0 tanh, 1 relu, 2 gelu (tanh form, arXiv 1606.08415).

const GELU = 0.7978845608028654;
const CUBIC = 0.044715;

// tanh of large arguments overflows inside some drivers' exp. Beyond 10 it is ±1 in f32, and here on every device: the error of
// 1e-5 that WGSL allows it counts in gelu times z, and in its slope times z³
fn safeTanh(x : f32) -> f32 { return select(tanh(clamp(x, -10.0, 10.0)), sign(x), abs(x) > 10.0); }

fn activated(z : f32) -> f32 {
  if (dims.kind == 0u) { return safeTanh(z); }
  if (dims.kind == 1u) { return max(z, 0.0); }
  return 0.5 * z * (1.0 + safeTanh(GELU * (z + CUBIC * z * z * z)));
}

fn slope(z : f32) -> f32 {
  if (dims.kind == 0u) { let y = safeTanh(z); return 1.0 - y * y; }
  if (dims.kind == 1u) { return select(0.0, 1.0, z > 0.0); }
  let y = safeTanh(GELU * (z + CUBIC * z * z * z));
  return 0.5 * (1.0 + y) + 0.5 * z * (1.0 - y * y) * GELU * (1.0 + 3.0 * CUBIC * z * z);
}
