// Gradient of the first layer over a slice of the rows, outputs in multiples of 4: one invocation per word of features and 4
// outputs. Variants, and how it adds up: see sparseGradientAny.wgsl.
//
// bits : words as in sparseForward     dY : [S, maxRows, out/4]     partials : [S, slices, size/4]

struct Dims {
  rows : u32, out : u32, words : u32, B : u32,
  inner : u32, outerStride : u32, innerStride : u32, base : u32, features : u32,
  slices : u32, size : u32, weightAt : u32, biasAt : u32, hasBias : u32, maxRows : u32, stride : u32,
}

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       bits     : array<u32>;
@group(0) @binding(2) var<storage, read>       dY       : array<vec4f>;
@group(0) @binding(3) var<storage, read_write> partials : array<vec4f>;

// What is summed up.
var<private> held : u32;
var<private> run  : vec4f;
var<private> sums : array<vec4f, 32>;

/// The word of the next row, 1 for the bias.
fn nextWord(w : u32) -> u32 {
  let place = nextBits();
  if (w == dims.words) { return 1u; }
  return bits[place + w];
}

/// The sum so far goes to the features of the word that was held.
fn give() { for (var left = held; left != 0u; left &= left - 1u) { sums[countTrailingZeros(left)] += run; } }

fn take(word : u32, y : vec4f) {
  // padding holds the bits of earlier batches: it must not part a run, or the sums would remember them
  if (word == 0u || all((bitcast<vec4u>(y) & vec4u(0x7fffffffu)) == vec4u())) { return; }
  if (word != held) {
    give();
    held = word;
    run = vec4f();
  }
  run += y;
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
  give();
  let part = (s * dims.slices + group.y) * dims.size;
  if (w == dims.words) {
    partials[(part + dims.biasAt) / 4u + j] = sums[0];
    return;
  }
  let at = (part + dims.weightAt) / 4u + j;
  let end = min(w * 32u + 32u, dims.features);
  for (var f = w * 32u; f < end; f++) { partials[at + f * out4] = sums[f % 32u]; }
}
