/**
 * exp and log of fmath.ts on two lanes, operation by operation, so with the same bits. Their constants lie in memory, each
 * twice, so that one load fills a register: V8 would build literals anew from integers in every turn, which takes longer
 * than the arithmetic.
 */
const TABLE: usize = memory.data<f64>([
  1.442695040888963387, 1.442695040888963387, 0.5, 0.5,
  6.9314718036912381649e-1, 6.9314718036912381649e-1, 1.90821492927058770002e-10, 1.90821492927058770002e-10,
  1.0 / 6227020800.0, 1.0 / 6227020800.0, 1.0 / 479001600.0, 1.0 / 479001600.0,
  1.0 / 39916800.0, 1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 3628800.0,
  1.0 / 362880.0, 1.0 / 362880.0, 1.0 / 40320.0, 1.0 / 40320.0,
  1.0 / 5040.0, 1.0 / 5040.0, 1.0 / 720.0, 1.0 / 720.0,
  1.0 / 120.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 24.0,
  1.0 / 6.0, 1.0 / 6.0, 1.0, 1.0,
  6755399441056767.0, 6755399441056767.0,
  62.0 / 2835.0, 62.0 / 2835.0, 1382.0 / 155925.0, 1382.0 / 155925.0,
  -17.0 / 315.0, -17.0 / 315.0, 2.0 / 15.0, 2.0 / 15.0,
  -1.0 / 3.0, -1.0 / 3.0,
  4503599627370496.0, 4503599627370496.0, 4503599627371519.0, 4503599627371519.0,
  -Infinity, -Infinity, 1.4142135623730951, 1.4142135623730951,
  1.0 / 19.0, 1.0 / 19.0, 1.0 / 17.0, 1.0 / 17.0, 1.0 / 15.0, 1.0 / 15.0,
  1.0 / 13.0, 1.0 / 13.0, 1.0 / 11.0, 1.0 / 11.0, 1.0 / 9.0, 1.0 / 9.0,
  1.0 / 7.0, 1.0 / 7.0, 1.0 / 5.0, 1.0 / 5.0, 1.0 / 3.0, 1.0 / 3.0,
], 16);

// @ts-ignore: decorator
@inline
function c(k: usize): v128 {
  return v128.load(TABLE + (k << 4));
}

// @ts-ignore: decorator
@inline
function step(p: v128, r: v128, k: usize): v128 {
  return f64x2.add(f64x2.mul(p, r), c(k));
}

/** e^x for −708 ≤ x ≤ 709. */
// @ts-ignore: decorator
@inline
export function exp(x: v128): v128 {
  const k = f64x2.floor(f64x2.add(f64x2.mul(x, c(0)), c(1)));
  let r = f64x2.sub(x, f64x2.mul(k, c(2)));
  r = f64x2.sub(r, f64x2.mul(k, c(3)));
  let p = step(c(4), r, 5);
  p = step(p, r, 6);
  p = step(p, r, 7);
  p = step(p, r, 8);
  p = step(p, r, 9);
  p = step(p, r, 10);
  p = step(p, r, 11);
  p = step(p, r, 12);
  p = step(p, r, 13);
  p = step(p, r, 14);
  p = step(p, r, 1);
  p = step(p, r, 15);
  p = step(p, r, 15);
  // the lowest bits of 1.5·2^52 + 1023 + k are k + 1023, which becomes the exponent
  return f64x2.mul(p, i64x2.shl(f64x2.add(k, c(16)), 52));
}

/** (1 − e^x) / (1 + e^x): tanh a with x = −2a. */
// @ts-ignore: decorator
@inline
export function tanhLarge(x: v128): v128 {
  const e = exp(x);
  return f64x2.div(f64x2.sub(c(15), e), f64x2.add(c(15), e));
}

/** The odd series of tanh near 0. */
// @ts-ignore: decorator
@inline
export function tanhSmall(a: v128): v128 {
  const z = f64x2.mul(a, a);
  let q = f64x2.sub(c(17), f64x2.mul(z, c(18)));
  q = f64x2.add(c(19), f64x2.mul(z, q));
  q = f64x2.add(c(20), f64x2.mul(z, q));
  q = f64x2.add(c(21), f64x2.mul(z, q));
  return f64x2.mul(a, f64x2.add(c(15), f64x2.mul(z, q)));
}

/** log x of positive numbers that are not subnormal. */
// @ts-ignore: decorator
@inline
export function log(x: v128): v128 {
  // the bits e of its exponent are the lowest of 2^52 + e
  let k = f64x2.sub(v128.or(i64x2.shr_u(x, 52), c(22)), c(23));
  let m = v128.or(v128.andnot(x, c(24)), c(15));
  const isLarge = f64x2.gt(m, c(25));
  m = f64x2.mul(m, v128.bitselect(c(1), c(15), isLarge));
  k = f64x2.add(k, v128.and(isLarge, c(15)));
  const s = f64x2.div(f64x2.sub(m, c(15)), f64x2.add(m, c(15)));
  const z = f64x2.mul(s, s);
  let p = step(c(26), z, 27);
  p = step(p, z, 28);
  p = step(p, z, 29);
  p = step(p, z, 30);
  p = step(p, z, 31);
  p = step(p, z, 32);
  p = step(p, z, 33);
  p = step(p, z, 34);
  p = step(p, z, 15);
  p = f64x2.mul(f64x2.add(s, s), p);
  return f64x2.add(f64x2.mul(k, c(2)), f64x2.add(p, f64x2.mul(k, c(3))));
}
