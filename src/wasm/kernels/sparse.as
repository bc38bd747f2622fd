import { addTo } from './product';

/** The first layer, whose inputs are bits: a sum of rows of the weights. Addresses count bytes. */

/** Addresses of the rows of W whose bit is set, ascending, at `list`. Returns how many. */
function listed(bits: usize, words: i32, w: usize, rowBytes: usize, list: usize): i32 {
  let n = 0;
  for (let k = 0; k < words; k++) {
    let word = load<u32>(bits + (<usize>k << 2));
    const first = w + <usize>(k << 5) * rowBytes;
    while (word != 0) {
      store<usize>(list + (<usize>n << 2), first + <usize>ctz(word) * rowBytes);
      word &= word - 1;
      n++;
    }
  }
  return n;
}

/** Y[r,:] = b + Σ over the set bits f of row r of W[f,:]; bias 0: none. `room` is scratch for 32·words addresses. */
export function sparseForward(bits: usize, words: i32, rows: i32, w: usize, bias: usize, out: i32, y: usize, room: usize): void {
  const bytes = <usize>out << 2;
  for (let r = 0; r < rows; r++) {
    const n = listed(bits, words, w, bytes, room);
    const end = room + (<usize>n << 2);
    let j: usize = 0;
    for (; j + 64 <= bytes; j += 64) {
      let s0 = f32x4.splat(0), s1 = s0, s2 = s0, s3 = s0;
      if (bias != 0) {
        s0 = v128.load(bias + j);
        s1 = v128.load(bias + j, 16);
        s2 = v128.load(bias + j, 32);
        s3 = v128.load(bias + j, 48);
      }
      for (let at = room; at < end; at += 4) {
        const from = load<usize>(at) + j;
        s0 = f32x4.add(s0, v128.load(from));
        s1 = f32x4.add(s1, v128.load(from, 16));
        s2 = f32x4.add(s2, v128.load(from, 32));
        s3 = f32x4.add(s3, v128.load(from, 48));
      }
      v128.store(y + j, s0);
      v128.store(y + j, s1, 16);
      v128.store(y + j, s2, 32);
      v128.store(y + j, s3, 48);
    }
    for (; j + 16 <= bytes; j += 16) {
      let s = bias != 0 ? v128.load(bias + j) : f32x4.splat(0);
      for (let at = room; at < end; at += 4) s = f32x4.add(s, v128.load(load<usize>(at) + j));
      v128.store(y + j, s);
    }
    for (; j < bytes; j += 4) {
      let s: f32 = bias != 0 ? load<f32>(bias + j) : 0;
      for (let at = room; at < end; at += 4) s += load<f32>(load<usize>(at) + j);
      store<f32>(y + j, s);
    }
    y += bytes;
    bits += <usize>words << 2;
  }
}

/** W[f,:] += Σ over rows with bit f of dY[r,:]; b += Σ dY; rows ascending. bias 0: none. */
export function sparseGradient(bits: usize, words: i32, rows: i32, dY: usize, out: i32, w: usize, bias: usize, room: usize): void {
  const bytes = <usize>out << 2;
  for (let r = 0; r < rows; r++) {
    if (bias != 0) addTo(out, dY, bias);
    const n = listed(bits, words, w, bytes, room);
    const end = room + (<usize>n << 2);
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
