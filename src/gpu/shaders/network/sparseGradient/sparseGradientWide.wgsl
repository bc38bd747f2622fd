// Gradient of the first layer over a slice of the rows, outputs in multiples of 4: one invocation per word of features and 4
// outputs. Variants, and how it adds up: see sparseGradientAny.wgsl. Bindings: bitRuns.wgsl, after which it is linked.

/// The word of the next row, 1 for the bias.
fn nextWord(w : u32) -> u32 {
  let place = nextBits();
  if (w == dims.words) { return 1u; }
  return bits[place + w];
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = group.x * 64u + local;
  let out4 = dims.out / 4u;
  let w = id / out4;
  if (w >= dims.words + dims.hasBias) { return; }
  let j = id % out4;
  let s = group.z;
  rowCount = rowsOf(s);
  let stretch = (rowCount + dims.slices - 1u) / dims.slices;
  let from_ = group.y * stretch;
  let to = min(from_ + stretch, rowCount);
  beginAt(s, from_);
  var d = (s * dims.maxRows + from_) * out4 + j;
  var r = from_;
  // four rows are asked for at once: a graphics device waits for its memory, not for its arithmetic
  for (; r + 4u <= to; r += 4u) {
    let w0 = nextWord(w);
    let w1 = nextWord(w);
    let w2 = nextWord(w);
    let w3 = nextWord(w);
    let y0 = dY[d];
    let y1 = dY[d + out4];
    let y2 = dY[d + 2u * out4];
    let y3 = dY[d + 3u * out4];
    take(w0, y0);
    take(w1, y1);
    take(w2, y2);
    take(w3, y3);
    d += 4u * out4;
  }
  for (; r < to; r++) {
    take(nextWord(w), dY[d]);
    d += out4;
  }
  end(group, w, j);
}
