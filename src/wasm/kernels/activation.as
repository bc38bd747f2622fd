/**
 * Activations and their derivatives, four floats at a time. What is computed in f64 in dense.ts and fmath.ts is computed
 * in f64 here, two lanes at a time, operation by operation; a lane takes both sides of a branch and keeps the right one.
 */

const RELU = 0;
const TANH = 1;

const GELU: f64 = 0.7978845608028654;
const CUBIC: f64 = 0.044715;

// @ts-ignore: decorator
@inline
function f(x: f64): v128 {
  return f64x2.splat(x);
}

// @ts-ignore: decorator
@inline
function step(p: v128, r: v128, c: f64): v128 {
  return f64x2.add(f64x2.mul(p, r), f(c));
}

/** e^x for −708 ≤ x ≤ 709. */
// @ts-ignore: decorator
@inline
function exp(x: v128): v128 {
  const k = f64x2.floor(f64x2.add(f64x2.mul(x, f(1.442695040888963387)), f(0.5)));
  let r = f64x2.sub(x, f64x2.mul(k, f(6.9314718036912381649e-1)));
  r = f64x2.sub(r, f64x2.mul(k, f(1.90821492927058770002e-10)));
  let p = f(1.0 / 6227020800.0);
  p = step(p, r, 1.0 / 479001600.0);
  p = step(p, r, 1.0 / 39916800.0);
  p = step(p, r, 1.0 / 3628800.0);
  p = step(p, r, 1.0 / 362880.0);
  p = step(p, r, 1.0 / 40320.0);
  p = step(p, r, 1.0 / 5040.0);
  p = step(p, r, 1.0 / 720.0);
  p = step(p, r, 1.0 / 120.0);
  p = step(p, r, 1.0 / 24.0);
  p = step(p, r, 1.0 / 6.0);
  p = step(p, r, 0.5);
  p = step(p, r, 1.0);
  p = step(p, r, 1.0);
  const whole = i64x2.extend_low_i32x4_s(i32x4.trunc_sat_f64x2_s_zero(k));
  return f64x2.mul(p, i64x2.shl(i64x2.add(whole, i64x2.splat(1023)), 52));
}

function tanh(x: v128): v128 {
  const isNegative = f64x2.lt(x, f(0));
  const a = v128.bitselect(f64x2.neg(x), x, isNegative);
  const z = f64x2.mul(a, a);
  let q = f64x2.sub(f(62.0 / 2835.0), f64x2.mul(z, f(1382.0 / 155925.0)));
  q = f64x2.add(f(-17.0 / 315.0), f64x2.mul(z, q));
  q = f64x2.add(f(2.0 / 15.0), f64x2.mul(z, q));
  q = f64x2.add(f(-1.0 / 3.0), f64x2.mul(z, q));
  q = f64x2.mul(a, f64x2.add(f(1), f64x2.mul(z, q)));
  const e = exp(f64x2.mul(f(-2), a));
  let y = f64x2.div(f64x2.sub(f(1), e), f64x2.add(f(1), e));
  y = v128.bitselect(f(1), y, f64x2.gt(a, f(20)));
  y = v128.bitselect(q, y, f64x2.lt(a, f(0.05)));
  return v128.bitselect(f64x2.neg(y), y, isNegative);
}

/** GELU·(z + CUBIC·z³), what the tanh of gelu is taken of. */
// @ts-ignore: decorator
@inline
function bent(z: v128): v128 {
  return f64x2.mul(f(GELU), f64x2.add(z, f64x2.mul(f64x2.mul(f64x2.mul(f(CUBIC), z), z), z)));
}

function gelu(z: v128): v128 {
  return f64x2.mul(f64x2.mul(f(0.5), z), f64x2.add(f(1), tanh(bent(z))));
}

/** 0.5·(1 + y) + 0.5·z·(1 − y²)·GELU·(1 + 3·CUBIC·z²) with y = tanh(bent(z)) */
function geluSlope(z: v128): v128 {
  const y = tanh(bent(z));
  let slope = f64x2.mul(f64x2.mul(f(0.5), z), f64x2.sub(f(1), f64x2.mul(y, y)));
  slope = f64x2.mul(slope, f(GELU));
  slope = f64x2.mul(slope, f64x2.add(f(1), f64x2.mul(f64x2.mul(f(3.0 * CUBIC), z), z)));
  return f64x2.add(f64x2.mul(f(0.5), f64x2.add(f(1), y)), slope);
}

// @ts-ignore: decorator
@inline
function low(x: v128): v128 {
  return f64x2.promote_low_f32x4(x);
}

// @ts-ignore: decorator
@inline
function high(x: v128): v128 {
  return f64x2.promote_low_f32x4(v128.shuffle<u32>(x, x, 2, 3, 2, 3));
}

// @ts-ignore: decorator
@inline
function rounded(a: v128, b: v128): v128 {
  return v128.shuffle<u32>(f32x4.demote_f64x2_zero(a), f32x4.demote_f64x2_zero(b), 0, 1, 4, 5);
}

function forward4(kind: i32, z: v128): v128 {
  if (kind == RELU) return v128.and(z, f32x4.gt(z, f32x4.splat(0)));
  if (kind == TANH) return rounded(tanh(low(z)), tanh(high(z)));
  return rounded(gelu(low(z)), gelu(high(z)));
}

function backward4(kind: i32, z: v128, h: v128, d: v128): v128 {
  if (kind == RELU) return v128.and(d, f32x4.gt(z, f32x4.splat(0)));
  if (kind == TANH) {
    const a = low(h), b = high(h);
    return rounded(
      f64x2.mul(low(d), f64x2.sub(f(1), f64x2.mul(a, a))),
      f64x2.mul(high(d), f64x2.sub(f(1), f64x2.mul(b, b))),
    );
  }
  return rounded(f64x2.mul(low(d), geluSlope(low(z))), f64x2.mul(high(d), geluSlope(high(z))));
}

/** Less than four floats with zeros behind them. */
function part(at: usize, n: i32): v128 {
  let x = f32x4.splat(0);
  x = f32x4.replace_lane(x, 0, load<f32>(at));
  if (n > 1) x = f32x4.replace_lane(x, 1, load<f32>(at, 4));
  if (n > 2) x = f32x4.replace_lane(x, 2, load<f32>(at, 8));
  return x;
}

function putPart(at: usize, n: i32, x: v128): void {
  store<f32>(at, f32x4.extract_lane(x, 0));
  if (n > 1) store<f32>(at, f32x4.extract_lane(x, 1), 4);
  if (n > 2) store<f32>(at, f32x4.extract_lane(x, 2), 8);
}

/** H = act(Z). kind 0 relu, 1 tanh, 2 gelu */
export function activate(kind: i32, z: usize, count: i32, h: usize): void {
  const end = z + (<usize>(count & ~3) << 2);
  for (; z < end; z += 16, h += 16) v128.store(h, forward4(kind, v128.load(z)));
  const rest = count & 3;
  if (rest > 0) putPart(h, rest, forward4(kind, part(z, rest)));
}

/** dZ = dH · act′(Z), in place in dH. */
export function activateBackward(kind: i32, z: usize, h: usize, count: i32, d: usize): void {
  const end = z + (<usize>(count & ~3) << 2);
  for (; z < end; z += 16, h += 16, d += 16) v128.store(d, backward4(kind, v128.load(z), v128.load(h), v128.load(d)));
  const rest = count & 3;
  if (rest > 0) putPart(d, rest, backward4(kind, part(z, rest), part(h, rest), part(d, rest)));
}
