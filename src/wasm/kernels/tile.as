/**
 * Some rows by some columns of C, in registers while K products are added. More than ten sums would not leave room for the
 * operands in sixteen registers, and a sum that is saved waits for memory in every turn. Each shape is a function of its
 * own: inlined together they were a fifth slower. Addresses count bytes. What sums begin with is read in whole registers: lanes
 * beyond the n-th hold whatever lies there and are not written.
 */

/** n ≤ 4 floats. */
// @ts-ignore: decorator
@inline
function putSome(at: usize, n: i32, x: v128): void {
  if (n == 1) return v128.store32_lane(at, x, 0);
  v128.store64_lane(at, x, 0);
  if (n == 3) v128.store32_lane(at, x, 2, 8);
}

// @ts-ignore: decorator
@inline
function put(at: usize, n: i32, x: v128): void {
  if (n == 4) v128.store(at, x);
  else putSome(at, n, x);
}

// @ts-ignore: decorator
@inline
function more(s: v128, x: v128, b: v128): v128 {
  return f32x4.add(s, f32x4.mul(x, b));
}

/** R ≤ 5 rows by 4 + n columns. */
// @ts-ignore: decorator
@inline
function wide(R: i32, n: i32, K: i32, a: usize, aRow: usize, aStep: usize, b: usize, bStep: usize, from: usize, fromRow: usize, c: usize, cRow: usize): void {
  const none = f32x4.splat(0);
  let s00 = v128.load(from), s01 = v128.load(from, 16);
  let s10 = none, s11 = none, s20 = none, s21 = none, s30 = none, s31 = none, s40 = none, s41 = none;
  if (R > 1) { from += fromRow; s10 = v128.load(from); s11 = v128.load(from, 16); }
  if (R > 2) { from += fromRow; s20 = v128.load(from); s21 = v128.load(from, 16); }
  if (R > 3) { from += fromRow; s30 = v128.load(from); s31 = v128.load(from, 16); }
  if (R > 4) { from += fromRow; s40 = v128.load(from); s41 = v128.load(from, 16); }
  let a1 = a + aRow, a2 = a1 + aRow, a3 = a2 + aRow, a4 = a3 + aRow;
  const end = b + <usize>K * bStep;
  while (b < end) {
    const b0 = v128.load(b), b1 = v128.load(b, 16);
    const x0 = v128.load_splat<u32>(a);
    s00 = more(s00, x0, b0);
    s01 = more(s01, x0, b1);
    a += aStep;
    if (R > 1) {
      const x1 = v128.load_splat<u32>(a1);
      s10 = more(s10, x1, b0);
      s11 = more(s11, x1, b1);
      a1 += aStep;
    }
    if (R > 2) {
      const x2 = v128.load_splat<u32>(a2);
      s20 = more(s20, x2, b0);
      s21 = more(s21, x2, b1);
      a2 += aStep;
    }
    if (R > 3) {
      const x3 = v128.load_splat<u32>(a3);
      s30 = more(s30, x3, b0);
      s31 = more(s31, x3, b1);
      a3 += aStep;
    }
    if (R > 4) {
      const x4 = v128.load_splat<u32>(a4);
      s40 = more(s40, x4, b0);
      s41 = more(s41, x4, b1);
      a4 += aStep;
    }
    b += bStep;
  }
  v128.store(c, s00); put(c + 16, n, s01);
  if (R > 1) { c += cRow; v128.store(c, s10); put(c + 16, n, s11); }
  if (R > 2) { c += cRow; v128.store(c, s20); put(c + 16, n, s21); }
  if (R > 3) { c += cRow; v128.store(c, s30); put(c + 16, n, s31); }
  if (R > 4) { c += cRow; v128.store(c, s40); put(c + 16, n, s41); }
}

/** One row, four or eight (R) by n columns. */
// @ts-ignore: decorator
@inline
function slim(R: i32, n: i32, K: i32, a: usize, aRow: usize, aStep: usize, b: usize, bStep: usize, from: usize, fromRow: usize, c: usize, cRow: usize): void {
  const none = f32x4.splat(0);
  let s0 = v128.load(from), s1 = none, s2 = none, s3 = none, s4 = none, s5 = none, s6 = none, s7 = none;
  if (R > 1) {
    from += fromRow; s1 = v128.load(from);
    from += fromRow; s2 = v128.load(from);
    from += fromRow; s3 = v128.load(from);
  }
  if (R > 4) {
    from += fromRow; s4 = v128.load(from);
    from += fromRow; s5 = v128.load(from);
    from += fromRow; s6 = v128.load(from);
    from += fromRow; s7 = v128.load(from);
  }
  let a1 = a + aRow, a2 = a1 + aRow, a3 = a2 + aRow, a4 = a3 + aRow, a5 = a4 + aRow, a6 = a5 + aRow, a7 = a6 + aRow;
  const end = b + <usize>K * bStep;
  while (b < end) {
    const b0 = v128.load(b);
    s0 = more(s0, v128.load_splat<u32>(a), b0);
    a += aStep;
    if (R > 1) {
      s1 = more(s1, v128.load_splat<u32>(a1), b0);
      s2 = more(s2, v128.load_splat<u32>(a2), b0);
      s3 = more(s3, v128.load_splat<u32>(a3), b0);
      a1 += aStep; a2 += aStep; a3 += aStep;
    }
    if (R > 4) {
      s4 = more(s4, v128.load_splat<u32>(a4), b0);
      s5 = more(s5, v128.load_splat<u32>(a5), b0);
      s6 = more(s6, v128.load_splat<u32>(a6), b0);
      s7 = more(s7, v128.load_splat<u32>(a7), b0);
      a4 += aStep; a5 += aStep; a6 += aStep; a7 += aStep;
    }
    b += bStep;
  }
  put(c, n, s0);
  if (R > 1) {
    c += cRow; put(c, n, s1);
    c += cRow; put(c, n, s2);
    c += cRow; put(c, n, s3);
  }
  if (R > 4) {
    c += cRow; put(c, n, s4);
    c += cRow; put(c, n, s5);
    c += cRow; put(c, n, s6);
    c += cRow; put(c, n, s7);
  }
}

export function wide5(n: i32, K: i32, a: usize, aRow: usize, aStep: usize, b: usize, bStep: usize, from: usize, fromRow: usize, c: usize, cRow: usize): void {
  wide(5, n, K, a, aRow, aStep, b, bStep, from, fromRow, c, cRow);
}

export function wide4(n: i32, K: i32, a: usize, aRow: usize, aStep: usize, b: usize, bStep: usize, from: usize, fromRow: usize, c: usize, cRow: usize): void {
  wide(4, n, K, a, aRow, aStep, b, bStep, from, fromRow, c, cRow);
}

export function wide3(n: i32, K: i32, a: usize, aRow: usize, aStep: usize, b: usize, bStep: usize, from: usize, fromRow: usize, c: usize, cRow: usize): void {
  wide(3, n, K, a, aRow, aStep, b, bStep, from, fromRow, c, cRow);
}

export function wide1(n: i32, K: i32, a: usize, aRow: usize, aStep: usize, b: usize, bStep: usize, from: usize, fromRow: usize, c: usize, cRow: usize): void {
  wide(1, n, K, a, aRow, aStep, b, bStep, from, fromRow, c, cRow);
}

export function slim8(n: i32, K: i32, a: usize, aRow: usize, aStep: usize, b: usize, bStep: usize, from: usize, fromRow: usize, c: usize, cRow: usize): void {
  slim(8, n, K, a, aRow, aStep, b, bStep, from, fromRow, c, cRow);
}

export function slim4(n: i32, K: i32, a: usize, aRow: usize, aStep: usize, b: usize, bStep: usize, from: usize, fromRow: usize, c: usize, cRow: usize): void {
  slim(4, n, K, a, aRow, aStep, b, bStep, from, fromRow, c, cRow);
}

export function slim1(n: i32, K: i32, a: usize, aRow: usize, aStep: usize, b: usize, bStep: usize, from: usize, fromRow: usize, c: usize, cRow: usize): void {
  slim(1, n, K, a, aRow, aStep, b, bStep, from, fromRow, c, cRow);
}
