import { exp, log } from './fmath';

/**
 * softmax and entropyOf of distribution.ts over n rows of logits at z, stride floats apart, each of `count` choices. All in
 * f64, operation by operation, p rounded to f32. At `at` it writes log Z[n] and, if it `measures`, entropy[n] in f64, then
 * p[n, count]. In place of p it finds a word for each row, of which bit b says whether b may be chosen. Behind p are
 * n·count + n + 1 doubles of scratch: what is near is computed together, so that one exponential does not wait for the one
 * before.
 */
export function softmax(n: i32, z: usize, stride: i32, count: i32, inverse: f64, measures: bool, at: usize): void {
  const bytes = <usize>count << 3;
  const entropy = at + (<usize>n << 3);
  let p = entropy + (<usize>n << 3);
  const room = p + <usize>n * (bytes >> 1);
  const end = room + <usize>n * bytes;
  let x = room;
  for (let r = at, legal = p; r < entropy; r += 8, legal += 4) {
    let word = load<u32>(legal);
    let top = -Infinity;
    for (let b: usize = 0; b < bytes; b += 8, word >>>= 1) {
      const logit = word & 1 ? <f64>load<f32>(z + (b >> 1)) * inverse : -Infinity;
      if (logit > top) top = logit;
      store<f64>(x + b, logit);
    }
    for (let b: usize = 0; b < bytes; b += 8, x += 8) store<f64>(x, load<f64>(x) - top);
    store<f64>(r, top);
    z += <usize>stride << 2;
  }
  for (x = room; x < end; x += 16) {
    const X = v128.load(x);
    v128.store(x, v128.andnot(exp(X), f64x2.lt(X, f64x2.splat(-708))));
  }
  x = room;
  let total = end;
  for (let r = at; r < entropy; r += 8, total += 8) {
    let sum: f64 = 0;
    for (let b: usize = 0; b < bytes; b += 8) sum += load<f64>(x + b);
    for (let b: usize = 0; b < bytes; b += 8, x += 8, p += 4) {
      const q = <f32>(<f64><f32>load<f64>(x) / sum);
      store<f32>(p, q);
      store<f64>(x, <f64>q);
    }
    store<f64>(total, sum);
  }
  // logarithms of the totals, and before them of all p if entropy is wanted
  for (x = measures ? room : end; x < total; x += 16) {
    const X = v128.load(x);
    // what is no number leaves none, which log does not know
    v128.store(x, f64x2.add(log(X), f64x2.sub(X, X)));
  }
  x = end;
  for (let r = at; r < entropy; r += 8, x += 8) store<f64>(r, load<f64>(r) + load<f64>(x));
  if (!measures) return;
  p = entropy + (<usize>n << 3);
  x = room;
  for (let r: usize = 0; r < <usize>n << 3; r += 8) {
    let H: f64 = 0;
    for (let b: usize = 0; b < bytes; b += 8, x += 8, p += 4) {
      const q = <f64>load<f32>(p);
      if (q > 0) H -= q * load<f64>(x);
    }
    store<f64>(entropy + r, H);
  }
}
