/**
 * Sums over n parameters in their order, n even, as weightSums.ts has them: Σ(θ − θ_old)², Σθ², Σ g·g_old, Σg², Σg_old²,
 * written to `out` in f64. Two sums lie in one register, so that each goes on one parameter at a time.
 */
export function weightSums(n: i32, theta: usize, last: usize, g: usize, old: usize, out: usize): void {
  const end = theta + (<usize>n << 2);
  let weights = f64x2.splat(0);
  let gradients = f64x2.splat(0);
  let before: f64 = 0;
  for (; theta < end; theta += 8, last += 8, g += 8, old += 8) {
    const X = f64x2.promote_low_f32x4(v128.load64_zero(theta));
    const D = f64x2.sub(X, f64x2.promote_low_f32x4(v128.load64_zero(last)));
    const G = f64x2.promote_low_f32x4(v128.load64_zero(g));
    const O = f64x2.promote_low_f32x4(v128.load64_zero(old));
    const DD = f64x2.mul(D, D);
    const XX = f64x2.mul(X, X);
    const GO = f64x2.mul(G, O);
    const GG = f64x2.mul(G, G);
    const OO = f64x2.mul(O, O);
    weights = f64x2.add(f64x2.add(weights, v128.shuffle<f64>(DD, XX, 0, 2)), v128.shuffle<f64>(DD, XX, 1, 3));
    gradients = f64x2.add(f64x2.add(gradients, v128.shuffle<f64>(GO, GG, 0, 2)), v128.shuffle<f64>(GO, GG, 1, 3));
    before = before + f64x2.extract_lane(OO, 0) + f64x2.extract_lane(OO, 1);
  }
  v128.store(out, weights);
  v128.store(out, gradients, 16);
  store<f64>(out, before, 32);
}
