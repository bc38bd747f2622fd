import { tanhLarge, tanhSmall } from './fmath';

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
function tanh(x: v128): v128 {
  const a = f64x2.abs(x);
  // from 20 on the quotient is 1, as there
  const large = tanhLarge(f64x2.mul(f(-2), f64x2.pmin(a, f(20))));
  const y = v128.bitselect(tanhSmall(a), large, f64x2.lt(a, f(0.05)));
  return v128.or(y, v128.and(x, f(-0.0)));
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

/** tanh of four floats that are not near 0. */
// @ts-ignore: decorator
@inline
function tanh4(z: v128): v128 {
  const x = f32x4.mul(f32x4.splat(-2), f32x4.pmin(f32x4.abs(z), f32x4.splat(20)));
  return v128.or(rounded(tanhLarge(low(x)), tanhLarge(high(x))), v128.and(z, f32x4.splat(-0.0)));
}

/** Puts right what is near 0: mostly few, so that the series is rarely computed. */
// @ts-ignore: decorator
@inline
function nearZero(z: v128, h: v128): v128 {
  const isSmall = f32x4.lt(f32x4.abs(z), f32x4.splat(0.05));
  if (!v128.any_true(isSmall)) return h;
  return v128.bitselect(rounded(tanhSmall(low(z)), tanhSmall(high(z))), h, isSmall);
}

/** tanh of 64 floats. Eight pairs at a time hide how long each one takes. */
function tanh64(z: usize, h: usize): void {
  for (let k: usize = 0; k < 256; k += 64) {
    const a = tanh4(v128.load(z + k)), b = tanh4(v128.load(z + k, 16));
    const c = tanh4(v128.load(z + k, 32)), d = tanh4(v128.load(z + k, 48));
    v128.store(h + k, a);
    v128.store(h + k, b, 16);
    v128.store(h + k, c, 32);
    v128.store(h + k, d, 48);
  }
  for (let k: usize = 0; k < 256; k += 16) v128.store(h + k, nearZero(v128.load(z + k), v128.load(h + k)));
}

/** x where z is above 0, else 0. */
// @ts-ignore: decorator
@inline
function above(z: v128, x: v128): v128 {
  return v128.and(x, f32x4.gt(z, f32x4.splat(0)));
}

function forward4(kind: i32, z: v128): v128 {
  if (kind == RELU) return above(z, z);
  if (kind == TANH) return nearZero(z, tanh4(z));
  return rounded(gelu(low(z)), gelu(high(z)));
}

function backward4(kind: i32, z: v128, h: v128, d: v128): v128 {
  if (kind == RELU) return above(z, d);
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
  if (kind == TANH) for (; z + 256 <= end; z += 256, h += 256) tanh64(z, h);
  if (kind == RELU) for (; z < end; z += 16, h += 16) v128.store(h, above(v128.load(z), v128.load(z)));
  for (; z < end; z += 16, h += 16) v128.store(h, forward4(kind, v128.load(z)));
  const rest = count & 3;
  if (rest > 0) putPart(h, rest, forward4(kind, part(z, rest)));
}

/** dZ = dH · act′(Z), in place in dH. */
export function activateBackward(kind: i32, z: usize, h: usize, count: i32, d: usize): void {
  const end = z + (<usize>(count & ~3) << 2);
  if (kind == RELU) for (; z < end; z += 16, h += 16, d += 16) v128.store(d, above(v128.load(z), v128.load(d)));
  for (; z < end; z += 16, h += 16, d += 16) v128.store(d, backward4(kind, v128.load(z), v128.load(h), v128.load(d)));
  const rest = count & 3;
  if (rest > 0) putPart(d, rest, backward4(kind, part(z, rest), part(h, rest), part(d, rest)));
}
