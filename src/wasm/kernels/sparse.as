import { addTo } from './product';

/** The first layer, whose inputs are bits: a sum of rows of the weights. Addresses count bytes. */

/** Addresses of the rows of W whose bit is set in the words `from` … `to` − 1, ascending, at `list`. Returns where they end. */
function listed(bits: usize, from: i32, to: i32, w: usize, rowBytes: usize, list: usize): usize {
  for (let k = from; k < to; k++) {
    let word = load<u32>(bits + (<usize>k << 2));
    const first = w + <usize>(k << 5) * rowBytes;
    while (word != 0) {
      store<usize>(list, first + <usize>ctz(word) * rowBytes);
      word &= word - 1;
      list += 4;
    }
  }
  return list;
}

/** How many bytes of n at a and b are the same before the first vector or word that is not. */
function shared(a: usize, b: usize, n: usize): usize {
  let k: usize = 0;
  while (k + 16 <= n && !v128.any_true(v128.xor(v128.load(a + k), v128.load(b + k)))) k += 16;
  while (k < n && load<u32>(a + k) == load<u32>(b + k)) k += 4;
  return k;
}

// @ts-ignore: decorator
@inline
function first(start: usize, j: usize): v128 {
  return start != 0 ? v128.load(start + j) : f32x4.splat(0);
}

// @ts-ignore: decorator
@inline
function put4(to: usize, a: v128, b: v128, c: v128, d: v128): void {
  v128.store(to, a);
  v128.store(to, b, 16);
  v128.store(to, c, 32);
  v128.store(to, d, 48);
}

/** to += n bytes, from j on, of each of the listed rows. */
function addListed(list: usize, end: usize, j: usize, n: usize, to: usize): void {
  for (; list < end; list += 4) addTo(<i32>(n >> 2), load<usize>(list) + j, to);
}

/**
 * Y[r,:] = b + Σ over the set bits f of row r of W[f,:]; bias 0: none. Rows that begin with the same words share the sum over
 * these: walls come first in an observation, what moves comes last. `room` is scratch for 32·words addresses and `out` floats.
 */
export function sparseForward(bits: usize, words: i32, rows: i32, w: usize, bias: usize, out: i32, y: usize, room: usize): void {
  const bytes = <usize>out << 2;
  const size = <usize>words << 2;
  const kept = room + (<usize>words << 7);
  // words whose sum is kept from the row before
  let known = 0;
  for (let r = 1; r <= rows; r++) {
    const same = r < rows ? <i32>(shared(bits, bits + size, size) >> 2) : 0;
    const keeps = same > known;
    const middle = listed(bits, known, max(same, known), w, bytes, room);
    const end = listed(bits, max(same, known), words, w, bytes, middle);
    const start = known > 0 ? kept : bias;
    let j: usize = 0;
    for (; j + 64 <= bytes; j += 64) {
      let s0 = first(start, j), s1 = first(start, j + 16), s2 = first(start, j + 32), s3 = first(start, j + 48);
      let at = room;
      for (; at < middle; at += 4) {
        const from = load<usize>(at) + j;
        s0 = f32x4.add(s0, v128.load(from));
        s1 = f32x4.add(s1, v128.load(from, 16));
        s2 = f32x4.add(s2, v128.load(from, 32));
        s3 = f32x4.add(s3, v128.load(from, 48));
      }
      if (keeps) put4(kept + j, s0, s1, s2, s3);
      for (; at < end; at += 4) {
        const from = load<usize>(at) + j;
        s0 = f32x4.add(s0, v128.load(from));
        s1 = f32x4.add(s1, v128.load(from, 16));
        s2 = f32x4.add(s2, v128.load(from, 32));
        s3 = f32x4.add(s3, v128.load(from, 48));
      }
      put4(y + j, s0, s1, s2, s3);
    }
    if (j < bytes) {
      const rest = bytes - j;
      for (let k = j; k < bytes; k += 4) store<f32>(y + k, start != 0 ? load<f32>(start + k) : 0);
      addListed(room, middle, j, rest, y + j);
      if (keeps) for (let k = j; k < bytes; k += 4) store<f32>(kept + k, load<f32>(y + k));
      addListed(middle, end, j, rest, y + j);
    }
    y += bytes;
    bits += size;
    if (same != known) known = keeps ? same : 0;
  }
}

/** W[f,:] += Σ over rows with bit f of dY[r,:]; b += Σ dY; rows ascending. bias 0: none. */
export function sparseGradient(bits: usize, words: i32, rows: i32, dY: usize, out: i32, w: usize, bias: usize, room: usize): void {
  const bytes = <usize>out << 2;
  for (let r = 0; r < rows; r++) {
    if (bias != 0) addTo(out, dY, bias);
    const end = listed(bits, 0, words, w, bytes, room);
    let j: usize = 0;
    for (; j + 64 <= bytes; j += 64) {
      const from = dY + j;
      const d0 = v128.load(from), d1 = v128.load(from, 16), d2 = v128.load(from, 32), d3 = v128.load(from, 48);
      for (let at = room; at < end; at += 4) {
        const to = load<usize>(at) + j;
        v128.store(to, f32x4.add(v128.load(to), d0));
        v128.store(to, f32x4.add(v128.load(to, 16), d1), 16);
        v128.store(to, f32x4.add(v128.load(to, 32), d2), 32);
        v128.store(to, f32x4.add(v128.load(to, 48), d3), 48);
      }
    }
    if (j < bytes) {
      const rest = (bytes - j) >> 2;
      for (let at = room; at < end; at += 4) addTo(<i32>rest, dY + j, load<usize>(at) + j);
    }
    dY += bytes;
    bits += <usize>words << 2;
  }
}
