import { slim1, slim4, slim8, wide1, wide3, wide4, wide5 } from './tile';

/**
 * C = start + A·B, the product behind the dense layers, in AssemblyScript.
 *
 * A lane is a column. Each sum starts from what it is given and takes a[k]·b[k] for k = 0, 1, …: the product is rounded to
 * f32, then the sum. That is what dense.ts does, so both give the same bits, also when a long sum is made in parts.
 * Addresses count bytes.
 */

/** Products added before the next columns are turned to, and rows for which columns of B are packed: what stays in the caches. */
const PART = 256;
const ROWS = 130;
/** What sums begin with that are given nothing. */
const ZEROS: usize = memory.data(32, 16);

/** Four rows of four floats as columns. */
// @ts-ignore: decorator
@inline
function turn(a: v128, b: v128, c: v128, d: v128, to: usize, step: usize): void {
  const ab0 = v128.shuffle<u32>(a, b, 0, 4, 1, 5), ab1 = v128.shuffle<u32>(a, b, 2, 6, 3, 7);
  const cd0 = v128.shuffle<u32>(c, d, 0, 4, 1, 5), cd1 = v128.shuffle<u32>(c, d, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<u32>(ab0, cd0, 0, 1, 4, 5));
  v128.store(to + step, v128.shuffle<u32>(ab0, cd0, 2, 3, 6, 7));
  v128.store(to + 2 * step, v128.shuffle<u32>(ab1, cd1, 0, 1, 4, 5));
  v128.store(to + 3 * step, v128.shuffle<u32>(ab1, cd1, 2, 3, 6, 7));
}

/** n columns of B one behind the other in rows of `width` floats, so that a tile reads them in one run; the rest is 0. */
function pack(K: i32, n: i32, width: i32, b: usize, bRow: usize, bCol: usize, to: usize): void {
  const step = <usize>width << 2;
  let k = 0;
  if (n == width && bCol == 4) {
    for (; k < K; k++) {
      v128.store(to, v128.load(b));
      if (width == 8) v128.store(to, v128.load(b, 16), 16);
      b += bRow;
      to += step;
    }
    return;
  }
  if (n == width && bRow == 4) {
    for (; k + 4 <= K; k += 4) {
      for (let j = 0; j < width; j += 4) {
        const x = b + <usize>j * bCol;
        const a0 = v128.load(x), a1 = v128.load(x + bCol), a2 = v128.load(x + 2 * bCol), a3 = v128.load(x + 3 * bCol);
        turn(a0, a1, a2, a3, to + (<usize>j << 2), step);
      }
      b += 16;
      to += 4 * step;
    }
  }
  for (; k < K; k++) {
    let from = b;
    for (let j = 0; j < n; j++) {
      store<f32>(to + (<usize>j << 2), load<f32>(from));
      from += bCol;
    }
    for (let j = n; j < width; j++) store<f32>(to + (<usize>j << 2), 0);
    b += bRow;
    to += step;
  }
}

/** n ≤ 8 columns of a block of rows. */
function column(rows: i32, n: i32, K: i32, a: usize, aRow: usize, aStep: usize, b: usize, bStep: usize, from: usize, fromRow: usize, c: usize, cRow: usize): void {
  for (let left = rows, R = 0; left > 0; left -= R) {
    if (n <= 4) {
      R = left >= 8 ? 8 : left >= 4 ? 4 : 1;
      if (R == 8) slim8(n, K, a, aRow, aStep, b, bStep, from, fromRow, c, cRow);
      else if (R == 4) slim4(n, K, a, aRow, aStep, b, bStep, from, fromRow, c, cRow);
      else slim1(n, K, a, aRow, aStep, b, bStep, from, fromRow, c, cRow);
    } else {
      // six, seven or eight rows at the end make two tiles of like size
      R = left > 8 || left == 5 ? 5 : left >= 7 || left == 4 ? 4 : left >= 3 ? 3 : 1;
      if (R == 5) wide5(n - 4, K, a, aRow, aStep, b, bStep, from, fromRow, c, cRow);
      else if (R == 4) wide4(n - 4, K, a, aRow, aStep, b, bStep, from, fromRow, c, cRow);
      else if (R == 3) wide3(n - 4, K, a, aRow, aStep, b, bStep, from, fromRow, c, cRow);
      else wide1(n - 4, K, a, aRow, aStep, b, bStep, from, fromRow, c, cRow);
    }
    a += aRow * <usize>R;
    c += cRow * <usize>R;
    from += fromRow * <usize>R;
  }
}

/** Part of the sums, of a block of rows: K ≤ PART. */
function part(rows: i32, K: i32, cols: i32, a: usize, aRow: usize, aStep: usize, b: usize, bRow: usize, bCol: usize, start: usize, startRow: usize, c: usize, room: usize): void {
  const cRow = <usize>cols << 2;
  for (let j = 0; j < cols; j += 8) {
    const n = min(8, cols - j);
    const width = n > 4 ? 8 : 4;
    let from = b + <usize>j * bCol;
    let step = bRow;
    if (n < width || bCol != 4 || rows > 7) {
      pack(K, n, width, from, bRow, bCol, room);
      from = room;
      step = <usize>width << 2;
    }
    const at = <usize>j << 2;
    column(rows, n, K, a, aRow, aStep, from, step, start == 0 ? ZEROS : start + at, startRow, c + at, cRow);
  }
}

/**
 * rows × cols sums over K. `start`: a row that each row of sums begins with, 0 for zeros, or `c` for what is there. `room` is
 * scratch for the packed columns, 8·min(K, PART) floats, behind all that is read: up to 12 bytes beyond a row of sums are.
 */
export function product(rows: i32, K: i32, cols: i32, a: usize, aRow: usize, aStep: usize, b: usize, bRow: usize, bCol: usize, start: usize, c: usize, room: usize): void {
  const cRow = <usize>cols << 2;
  for (let r = 0; r < rows; r += ROWS) {
    const n = min(ROWS, rows - r);
    const x = a + <usize>r * aRow;
    const y = c + <usize>r * cRow;
    let from = start == c ? y : start;
    let fromRow = start == c ? cRow : 0;
    let k = 0;
    do {
      const at = <usize>k;
      part(n, min(PART, K - k), cols, x + at * aStep, aRow, aStep, b + at * bRow, bRow, bCol, from, fromRow, y, room);
      from = y;
      fromRow = cRow;
      k += PART;
    } while (k < K);
  }
}

/** to[k] += from[k] */
export function addTo(n: i32, from: usize, to: usize): void {
  const end = to + (<usize>n << 2);
  for (; to + 16 <= end; to += 16, from += 16) v128.store(to, f32x4.add(v128.load(to), v128.load(from)));
  for (; to < end; to += 4, from += 4) store<f32>(to, load<f32>(to) + load<f32>(from));
}

/** g[j] += Σ_r dY[r, j], r ascending. */
export function columnSums(rows: i32, cols: i32, dY: usize, g: usize): void {
  const row = <usize>cols << 2;
  const end = dY + row * <usize>rows;
  let j: usize = 0;
  for (; j + 32 <= row; j += 32) {
    let s = f32x4.splat(0), t = s;
    for (let at = dY + j; at < end; at += row) {
      s = f32x4.add(s, v128.load(at));
      t = f32x4.add(t, v128.load(at, 16));
    }
    v128.store(g + j, f32x4.add(v128.load(g + j), s));
    v128.store(g + j, f32x4.add(v128.load(g + j, 16), t), 16);
  }
  for (; j + 16 <= row; j += 16) {
    let s = f32x4.splat(0);
    for (let at = dY + j; at < end; at += row) s = f32x4.add(s, v128.load(at));
    v128.store(g + j, f32x4.add(v128.load(g + j), s));
  }
  for (; j < row; j += 4) {
    let s: f32 = 0;
    for (let at = dY + j; at < end; at += row) s += load<f32>(at);
    store<f32>(g + j, load<f32>(g + j) + s);
  }
}
