/**
 * C = init + A·B, or C += A·B, the product behind the dense layers, in AssemblyScript.
 *
 * A lane is a column. Each sum starts at its start value and takes a[k]·b[k] for k = 0, 1, …: the product is rounded to
 * f32, then the sum. That is what dense.ts does, so both give the same bits. Addresses count bytes.
 */

/** Four rows by eight columns in eight registers. The start values are eight floats at `init`. */
function block4(K: i32, a: usize, aRow: usize, aStep: usize, b: usize, bStep: usize, init: usize, c: usize, cRow: usize, add: bool): void {
  let s00 = v128.load(init), s01 = v128.load(init, 16);
  let s10 = s00, s11 = s01, s20 = s00, s21 = s01, s30 = s00, s31 = s01;
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
  put(c, s00, s01, add); c += cRow;
  put(c, s10, s11, add); c += cRow;
  put(c, s20, s21, add); c += cRow;
  put(c, s30, s31, add);
}

/** One row by eight columns. */
function block1(K: i32, a: usize, aStep: usize, b: usize, bStep: usize, init: usize, c: usize, add: bool): void {
  let s0 = v128.load(init), s1 = v128.load(init, 16);
  for (let k = 0; k < K; k++) {
    const x = v128.load_splat<u32>(a);
    s0 = f32x4.add(s0, f32x4.mul(x, v128.load(b)));
    s1 = f32x4.add(s1, f32x4.mul(x, v128.load(b, 16)));
    a += aStep;
    b += bStep;
  }
  put(c, s0, s1, add);
}

// @ts-ignore: decorator
@inline
function put(c: usize, s0: v128, s1: v128, add: bool): void {
  if (add) {
    s0 = f32x4.add(v128.load(c), s0);
    s1 = f32x4.add(v128.load(c, 16), s1);
  }
  v128.store(c, s0);
  v128.store(c, s1, 16);
}

/** Writes the first n of the eight sums of each row of a tile to C. */
function spill(tile: usize, rows: i32, n: i32, c: usize, cRow: usize, add: bool): void {
  for (let r = 0; r < rows; r++) {
    for (let j = 0; j < n; j++) {
      const to = c + (<usize>j << 2);
      const sum = load<f32>(tile + (<usize>j << 2));
      store<f32>(to, add ? load<f32>(to) + sum : sum);
    }
    tile += 32;
    c += cRow;
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

/**
 * rows × cols sums over K. `bias` is the address of the start values, 0 for none. `room` is scratch: 8 start values,
 * a tile of 32 floats and the packed columns, 8·K floats.
 */
export function product(rows: i32, K: i32, cols: i32, a: usize, aRow: usize, aStep: usize, b: usize, bRow: usize, bCol: usize, bias: usize, c: usize, add: bool, room: usize): void {
  const init = room;
  const tile = room + 32;
  const panel = room + 160;
  const cRow = <usize>cols << 2;
  const tall = rows & ~3;
  for (let j = 0; j < cols; j += 8) {
    const n = min(8, cols - j);
    for (let i = 0; i < 8; i++)
      store<f32>(init + (<usize>i << 2), bias != 0 && i < n ? load<f32>(bias + (<usize>(j + i) << 2)) : 0);
    let from = b + <usize>j * bCol;
    let step = bRow;
    if (n < 8 || bCol != 4 || rows > 7) {
      pack(K, n, from, bRow, bCol, panel);
      from = panel;
      step = 32;
    }
    let x = a;
    let y = c + (<usize>j << 2);
    if (n == 8) {
      for (let r = 0; r < tall; r += 4) {
        block4(K, x, aRow, aStep, from, step, init, y, cRow, add);
        x += aRow << 2;
        y += cRow << 2;
      }
      for (let r = tall; r < rows; r++) {
        block1(K, x, aStep, from, step, init, y, add);
        x += aRow;
        y += cRow;
      }
    } else {
      for (let r = 0; r < tall; r += 4) {
        block4(K, x, aRow, aStep, from, step, init, tile, 32, false);
        spill(tile, 4, n, y, cRow, add);
        x += aRow << 2;
        y += cRow << 2;
      }
      for (let r = tall; r < rows; r++) {
        block1(K, x, aStep, from, step, init, tile, false);
        spill(tile, 1, n, y, cRow, add);
        x += aRow;
        y += cRow;
      }
    }
  }
}

/** g[j] += Σ_r dY[r, j], r ascending. `room` is scratch for cols floats. */
export function columnSums(rows: i32, cols: i32, dY: usize, g: usize, room: usize): void {
  const bytes = <usize>cols << 2;
  const wide = bytes & ~15;
  memory.fill(room, 0, bytes);
  for (let r = 0; r < rows; r++) {
    for (let j: usize = 0; j < wide; j += 16) v128.store(room + j, f32x4.add(v128.load(room + j), v128.load(dY + j)));
    for (let j = wide; j < bytes; j += 4) store<f32>(room + j, load<f32>(room + j) + load<f32>(dY + j));
    dY += bytes;
  }
  for (let j: usize = 0; j < bytes; j += 4) store<f32>(g + j, load<f32>(g + j) + load<f32>(room + j));
}
