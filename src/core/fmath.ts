/**
 * exp, log and tanh that give the same bits in every JavaScript engine.
 *
 * `Math.exp`, `Math.log` and `Math.tanh` are implementation-defined in the last digits, so results that are
 * compared across machines must not use them. These use only +, −, ×, ÷ in f64, which IEEE 754 rounds exactly.
 * Relative error below 1e-13, far below the f32 in which results are stored.
 */

const LN2_HIGH = 6.9314718036912381649e-1;
const LN2_LOW = 1.90821492927058770002e-10;
const INV_LN2 = 1.442695040888963387;

const words = new Uint32Array(2);
const float = new Float64Array(words.buffer);

/** 2^k for integer −1022 ≤ k ≤ 1023, by its bits. */
function powerOfTwo(k: number): number {
  words[0] = 0;
  words[1] = (k + 1023) << 20;
  return float[0]!;
}

/**
 * 2^(1023 − e) for the bits e of an exponent, 1 … 2046: by this, x becomes its mantissa without a rounding. Writing the
 * exponent into the bits of x and reading it again takes twice as long: a processor waits for two stores that one load spans.
 */
const unscaled = Float64Array.from({ length: 2047 }, (_, e) =>
  e === 2046 ? 0.5 * powerOfTwo(-1022) : powerOfTwo(1023 - Math.max(1, e)),
);

/** The one number of a call by itself: what a function takes or returns is an object of its own wherever it is not inlined. */
const one = new Float64Array(1);

/** e^x. Underflows to 0 below −708, overflows to Infinity above 709. */
export function exp(x: number): number {
  one[0] = x;
  expOfEach(one, 1);
  return one[0]!;
}

/** Natural logarithm. log(0) = −Infinity, log(x < 0) = NaN. */
export function log(x: number): number {
  one[0] = x;
  logOfEach(one, 1);
  return one[0]!;
}

/** e^x of the first n numbers, in their place. */
export function expOfEach(of: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    const x = of[i]!;
    if (x > 709) of[i] = Infinity;
    else if (x < -708) of[i] = 0;
    else if (x === x) {
      const k = Math.floor(x * INV_LN2 + 0.5);
      const r = x - k * LN2_HIGH - k * LN2_LOW;
      // Taylor series to r^13 on |r| ≤ ln2/2: the first term left out is below 5e-18.
      let p = 1 / 6227020800;
      p = p * r + 1 / 479001600;
      p = p * r + 1 / 39916800;
      p = p * r + 1 / 3628800;
      p = p * r + 1 / 362880;
      p = p * r + 1 / 40320;
      p = p * r + 1 / 5040;
      p = p * r + 1 / 720;
      p = p * r + 1 / 120;
      p = p * r + 1 / 24;
      p = p * r + 1 / 6;
      p = p * r + 0.5;
      p = p * r + 1;
      p = p * r + 1;
      of[i] = p * powerOfTwo(k);
    }
  }
}

/** log x of the first n numbers, in their place. */
export function logOfEach(of: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    let x = of[i]!;
    if (x < 0) of[i] = NaN;
    else if (x === 0) of[i] = -Infinity;
    else if (x < Infinity) {
      let scale = 0;
      if (x < 2.2250738585072014e-308) {
        x *= 18014398509481984; // 2^54, brings subnormals into the normal range
        scale = -54;
      }
      float[0] = x;
      const e = words[1]! >>> 20;
      let k = e - 1023 + scale;
      let m = x * unscaled[e]!;
      if (m > 1.4142135623730951) {
        m *= 0.5;
        k += 1;
      }
      // log m = 2·atanh(s), s = (m − 1)/(m + 1), |s| ≤ 0.1716: series to s^19, remainder below 1e-17.
      const s = (m - 1) / (m + 1);
      const z = s * s;
      let p = 1 / 19;
      p = p * z + 1 / 17;
      p = p * z + 1 / 15;
      p = p * z + 1 / 13;
      p = p * z + 1 / 11;
      p = p * z + 1 / 9;
      p = p * z + 1 / 7;
      p = p * z + 1 / 5;
      p = p * z + 1 / 3;
      p = p * z + 1;
      of[i] = k * LN2_HIGH + (2 * s * p + k * LN2_LOW);
    }
  }
}

/** Hyperbolic tangent, from exp; an odd series near 0, where 1 − e^(−2x) would cancel. */
export function tanh(x: number): number {
  const a = x < 0 ? -x : x;
  let y: number;
  if (a < 0.05) {
    const z = a * a;
    y = a * (1 + z * (-1 / 3 + z * (2 / 15 + z * (-17 / 315 + z * (62 / 2835 - z * (1382 / 155925))))));
  } else if (a > 20) {
    y = 1;
  } else {
    const e = exp(-2 * a);
    y = (1 - e) / (1 + e);
  }
  return x < 0 ? -y : y;
}

/** Standard normal pair from two uniforms in (0, 1] and [0, 1): Box–Muller, cosine half, by exact arithmetic only. */
export function gaussian(u1: number, u2: number): number {
  return Math.sqrt(-2 * log(1 - u1)) * cosTurn(u2);
}

/** cos(2πu) for u in [0, 1), by symmetry and a series on a quarter turn. */
export function cosTurn(u: number): number {
  const half = u < 0.5 ? u : 1 - u;
  const sign = half <= 0.25 ? 1 : -1;
  const x = 2 * 3.141592653589793 * (half <= 0.25 ? half : 0.5 - half);
  const z = -x * x;
  let p = 1;
  for (let n = 24; n >= 2; n -= 2) p = 1 + (p * z) / (n * (n - 1));
  return sign * p;
}
