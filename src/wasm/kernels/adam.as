/**
 * One AdamW step over n parameters, n a multiple of 4: the operations of adam.ts in f64, two lanes at a time, moments
 * rounded to f32 when they are stored. Returns whether every parameter is finite. Four that no gradient has moved yet are left
 * as they are, if the definition would leave them so, too: of a first layer, whose inputs are bits, most are never set.
 */
export function adam(n: i32, theta: usize, g: usize, m: usize, v: usize, beta1: f64, beta2: f64, epsilon: f64, decay: f64, c1: f64, c2: f64, rate: f64): bool {
  const end = theta + (<usize>n << 2);
  let worst = f32x4.splat(0);
  const stays = rate * (0.0 / c1 / (sqrt<f64>(0.0 / c2) + epsilon) + decay) == 0;
  while (theta < end) {
    if (stays && !v128.any_true(v128.or(v128.or(v128.load(g), v128.load(m)), v128.load(v)))) {
      const x = v128.load(theta);
      worst = f32x4.add(worst, f32x4.sub(x, x));
      theta += 16;
      g += 16;
      m += 16;
      v += 16;
      continue;
    }
    for (let pair = 0; pair < 2; pair++, theta += 8, g += 8, m += 8, v += 8) {
      const G = f64x2.promote_low_f32x4(v128.load64_zero(g));
      const M = f32x4.demote_f64x2_zero(
        f64x2.add(
          f64x2.mul(f64x2.splat(beta1), f64x2.promote_low_f32x4(v128.load64_zero(m))),
          f64x2.mul(f64x2.splat(1.0 - beta1), G),
        ),
      );
      const V = f32x4.demote_f64x2_zero(
        f64x2.add(
          f64x2.mul(f64x2.splat(beta2), f64x2.promote_low_f32x4(v128.load64_zero(v))),
          f64x2.mul(f64x2.mul(f64x2.splat(1.0 - beta2), G), G),
        ),
      );
      v128.store64_lane(m, M, 0);
      v128.store64_lane(v, V, 0);
      const x = f64x2.promote_low_f32x4(v128.load64_zero(theta));
      const scale = f64x2.add(f64x2.sqrt(f64x2.div(f64x2.promote_low_f32x4(V), f64x2.splat(c2))), f64x2.splat(epsilon));
      let move = f64x2.div(f64x2.div(f64x2.promote_low_f32x4(M), f64x2.splat(c1)), scale);
      move = f64x2.add(move, f64x2.mul(f64x2.splat(decay), x));
      const moved = f32x4.demote_f64x2_zero(f64x2.sub(x, f64x2.mul(f64x2.splat(rate), move)));
      v128.store64_lane(theta, moved, 0);
      // x − x is 0 for a finite x, else NaN, which no later sum removes
      worst = f32x4.add(worst, f32x4.sub(moved, moved));
    }
  }
  worst = f32x4.add(worst, v128.shuffle<u32>(worst, worst, 2, 3, 2, 3));
  return f32x4.extract_lane(worst, 0) + f32x4.extract_lane(worst, 1) == 0;
}

/** Σ g² of n numbers, n a multiple of 4, in their order in f64. Four that are 0 add nothing. */
export function squares(n: i32, g: usize): f64 {
  const end = g + (<usize>n << 2);
  let sum: f64 = 0;
  for (; g < end; g += 16) {
    const x = v128.load(g);
    if (!v128.any_true(x)) continue;
    const a = f64x2.promote_low_f32x4(x);
    const b = f64x2.promote_low_f32x4(v128.shuffle<u32>(x, x, 2, 3, 2, 3));
    const A = f64x2.mul(a, a);
    const B = f64x2.mul(b, b);
    sum = sum + f64x2.extract_lane(A, 0) + f64x2.extract_lane(A, 1) + f64x2.extract_lane(B, 0) + f64x2.extract_lane(B, 1);
  }
  return sum;
}
