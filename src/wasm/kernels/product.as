/**
 * C += A·B, the product behind the dense layers, in AssemblyScript.
 *
 * A lane is a column. Each sum starts from what is in C and takes a[k]·b[k] for k = 0, 1, …: the product is rounded to
 * f32, then the sum. That is what dense.ts does, so both give the same bits, also when a long sum is made in parts.
 * Addresses count bytes.
 */

/** Products added before the next columns are turned to: so much of A and B stays in the cache. */
const PART = 256;

/** Four rows by eight columns in eight registers. */
function block4(K: i32, a: usize, aRow: usize, aStep: usize, b: usize, bStep: usize, c: usize, cRow: usize): void {
  const c1 = c + cRow, c2 = c1 + cRow, c3 = c2 + cRow;
  let s00 = v128.load(c), s01 = v128.load(c, 16);
  let s10 = v128.load(c1), s11 = v128.load(c1, 16);
  let s20 = v128.load(c2), s21 = v128.load(c2, 16);
  let s30 = v128.load(c3), s31 = v128.load(c3, 16);
  let a1 = a + aRow, a2 = a1 + aRow, a3 = a2 + aRow;
  for (let k = 0; k < K; k++) {
    const b0 = v128.load(b), b1 = v128.load(b, 16);
    const x0 = v128.load_splat<u32>(a);
    s00 = f32x4.add(s00, f32x4.mul(x0, b0));
    s01 = f32x4.add(s01, f32x4.mul(x0, b1));
    const x1 = v128.load_splat<u32>(a1);
    s10 = f32x4.add(s10, f32x4.mul(x1, b0));
    s11 = f32x4.add(s11, f32x4.mul(x1, b1));
    const x2 = v128.load_splat<u32>(a2);
    s20 = f32x4.add(s20, f32x4.mul(x2, b0));
    s21 = f32x4.add(s21, f32x4.mul(x2, b1));
    const x3 = v128.load_splat<u32>(a3);
    s30 = f32x4.add(s30, f32x4.mul(x3, b0));
    s31 = f32x4.add(s31, f32x4.mul(x3, b1));
    a += aStep; a1 += aStep; a2 += aStep; a3 += aStep;
    b += bStep;
  }
  v128.store(c, s00); v128.store(c, s01, 16);
  v128.store(c1, s10); v128.store(c1, s11, 16);
  v128.store(c2, s20); v128.store(c2, s21, 16);
  v128.store(c3, s30); v128.store(c3, s31, 16);
}

/** One row by eight columns. */
function block1(K: i32, a: usize, aStep: usize, b: usize, bStep: usize, c: usize): void {
  let s0 = v128.load(c), s1 = v128.load(c, 16);
  for (let k = 0; k < K; k++) {
    const x = v128.load_splat<u32>(a);
    s0 = f32x4.add(s0, f32x4.mul(x, v128.load(b)));
    s1 = f32x4.add(s1, f32x4.mul(x, v128.load(b, 16)));
    a += aStep;
    b += bStep;
  }
  v128.store(c, s0);
  v128.store(c, s1, 16);
}

/** The first n of eight columns of some rows, from one place to another. */
function copy(rows: i32, n: i32, from: usize, fromRow: usize, to: usize, toRow: usize): void {
  const bytes = <usize>n << 2;
  for (let r = 0; r < rows; r++) {
    for (let j: usize = 0; j < bytes; j += 4) store<f32>(to + j, load<f32>(from + j));
    from += fromRow;
    to += toRow;
  }
}

/** n ≤ 8 columns of B one behind the other, so that the block reads them from the cache in one run; the rest is 0. */
function pack(K: i32, n: i32, b: usize, bRow: usize, bCol: usize, to: usize): void {
  if (n == 8 && bCol == 4) {
    for (let k = 0; k < K; k++) {
      v128.store(to, v128.load(b));
      v128.store(to, v128.load(b, 16), 16);
      b += bRow;
      to += 32;
    }
    return;
  }
  for (let k = 0; k < K; k++) {
    let from = b;
    for (let j = 0; j < n; j++) {
      store<f32>(to + (<usize>j << 2), load<f32>(from));
      from += bCol;
    }
    for (let j = n; j < 8; j++) store<f32>(to + (<usize>j << 2), 0);
    b += bRow;
    to += 32;
  }
}

/** Part of the sums: K ≤ PART. */
function part(rows: i32, K: i32, cols: i32, a: usize, aRow: usize, aStep: usize, b: usize, bRow: usize, bCol: usize, c: usize, room: usize): void {
  const tile = room;
  const panel = room + 128;
  const cRow = <usize>cols << 2;
  for (let j = 0; j < cols; j += 8) {
    const n = min(8, cols - j);
    let from = b + <usize>j * bCol;
    let step = bRow;
    if (n < 8 || bCol != 4 || rows > 7) {
      pack(K, n, from, bRow, bCol, panel);
      from = panel;
      step = 32;
    }
    let x = a;
    let y = c + (<usize>j << 2);
    for (let r = 0; r < rows; ) {
      const tall = rows - r >= 4 ? 4 : 1;
      const whole = n == 8;
      if (!whole) copy(tall, n, y, cRow, tile, 32);
      const to = whole ? y : tile;
      const toRow = whole ? cRow : 32;
      if (tall == 4) block4(K, x, aRow, aStep, from, step, to, toRow);
      else block1(K, x, aStep, from, step, to);
      if (!whole) copy(tall, n, tile, 32, y, cRow);
      r += tall;
      x += aRow * <usize>tall;
      y += cRow * <usize>tall;
    }
  }
}

/** rows × cols sums over K. `room` is scratch: a tile of 32 floats and the packed columns, 8·min(K, PART) floats. */
export function product(rows: i32, K: i32, cols: i32, a: usize, aRow: usize, aStep: usize, b: usize, bRow: usize, bCol: usize, c: usize, room: usize): void {
  for (let k = 0; k < K; k += PART) {
    const at = <usize>k;
    part(rows, min(PART, K - k), cols, a + at * aStep, aRow, aStep, b + at * bRow, bRow, bCol, c, room);
  }
}

/** Every row of Y [rows, cols] = b; 0 where there is none. */
export function fillRows(rows: i32, cols: i32, bias: usize, y: usize): void {
  const bytes = <usize>cols << 2;
  if (bias == 0) {
    memory.fill(y, 0, bytes * <usize>rows);
    return;
  }
  for (let r = 0; r < rows; r++) {
    memory.copy(y, bias, bytes);
    y += bytes;
  }
}

/** to[k] += from[k] */
export function addTo(n: i32, from: usize, to: usize): void {
  const end = to + (<usize>n << 2);
  for (; to + 16 <= end; to += 16, from += 16) v128.store(to, f32x4.add(v128.load(to), v128.load(from)));
  for (; to < end; to += 4, from += 4) store<f32>(to, load<f32>(to) + load<f32>(from));
}

/** g[j] += Σ_r dY[r, j], r ascending. `room` is scratch for cols floats. */
export function columnSums(rows: i32, cols: i32, dY: usize, g: usize, room: usize): void {
  memory.fill(room, 0, <usize>cols << 2);
  for (let r = 0; r < rows; r++) {
    addTo(cols, dY, room);
    dY += <usize>cols << 2;
  }
  addTo(cols, room, g);
}
