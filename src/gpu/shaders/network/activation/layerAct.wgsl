// An activation and its slope, linked in front of the products that end in one. KIND 0 tanh, 1 relu, 2 gelu (tanh form,
// arXiv 1606.08415), 3 none: a constant, so that only one branch is left. The slope of tanh and relu is known from h = act(z), so z need not be kept; gelu needs z.

const GELU = 0.7978845608028654;
const CUBIC = 0.044715;

// tanh of large arguments overflows inside some drivers' exp. Beyond 10 it is ±1 in f32, and here on every device: the error of
// 1e-5 that WGSL allows it counts in gelu times z, and in its slope times z³
fn safeTanh(x : f32) -> f32 { return select(tanh(clamp(x, -10.0, 10.0)), sign(x), abs(x) > 10.0); }

fn act(z : f32) -> f32 {
  if (KIND == 0u) { return safeTanh(z); }
  if (KIND == 1u) { return max(z, 0.0); }
  if (KIND == 2u) { return 0.5 * z * (1.0 + safeTanh(GELU * (z + CUBIC * z * z * z))); }
  return z;
}

// act′(z); `a` is h for tanh and relu, z for gelu
fn slope(a : f32) -> f32 {
  if (KIND == 0u) { return 1.0 - a * a; }
  if (KIND == 1u) { return select(0.0, 1.0, a > 0.0); }
  if (KIND == 2u) {
    let y = safeTanh(GELU * (a + CUBIC * a * a * a));
    return 0.5 * (1.0 + y) + 0.5 * a * (1.0 - y * y) * GELU * (1.0 + 3.0 * CUBIC * a * a);
  }
  return 1.0;
}
