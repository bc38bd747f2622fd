// Gradient of the first layer over a slice of the rows, for any width: dW[f,j] = sum over rows with bit f of dY[r,j],
// db[j] = sum of dY[r,j]. One invocation per word of features and 4 outputs; one more word stands
// for the bias. Slices in y, replicas in z; rows of a slice in ascending order in all variants, so no atomics.
//
// From one step of an episode to the next most words stay as they are: rows are summed as long as the word is the same, and
// only then is the sum given to its features. A word that changes at every row costs one addition per bit, as it would anyway.
//
// Variants; ms for 4096 rows of 400 bits, 100 of them set, and 128 outputs on two cores of SwiftShader:
//   sparseGradient 1603, one slice
//   sparseGradientAny and sparseGradientWide, which is for outputs in multiples of 4: 125 where no row is like the one before
//   it, 55 where up to 8 features change from row to row, 33 where none does
//   sparseGradientTiled, the same through workgroup memory: only where that was measured to be fast (tune.ts)
//   wholeGradient, no slices: of few rows of a network with one hidden layer, all of its gradient in one dispatch
//
// bits : words as in sparseForward     dY : [S, maxRows, out]     partials : [S, slices, size]

struct Dims {
  rows : u32, out : u32, words : u32, B : u32,
  inner : u32, outerStride : u32, innerStride : u32, base : u32, features : u32,
  slices : u32, size : u32, weightAt : u32, biasAt : u32, hasBias : u32, maxRows : u32, stride : u32,
}

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       bits     : array<u32>;
@group(0) @binding(2) var<storage, read>       dY       : array<f32>;
@group(0) @binding(3) var<storage, read_write> partials : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = group.x * 64u + local;
  let columns = (dims.out + 3u) / 4u;
  let w = id / columns;
  if (w >= dims.words + dims.hasBias) { return; }
  let isBias = w == dims.words;
  let j0 = (id % columns) * 4u;
  // columns beyond the last repeat it; they are not written
  let j = min(vec4u(j0, j0 + 1u, j0 + 2u, j0 + 3u), vec4u(dims.out - 1u));
  let s = group.z;
  rowCount = rowsOf(s);
  let stretch = (rowCount + dims.slices - 1u) / dims.slices;
  let from_ = group.y * stretch;
  let to = min(from_ + stretch, rowCount);
  var sums : array<vec4f, 32>;
  var held = 0u;
  var run = vec4f();
  beginAt(s, from_);
  var d = (s * dims.maxRows + from_) * dims.out + j;
  for (var r = from_; r < to; r++) {
    let place = nextBits();
    var word = 1u;
    if (!isBias) { word = bits[place + w]; }
    if (word != 0u) {
      let y = vec4f(dY[d.x], dY[d.y], dY[d.z], dY[d.w]);
      // padding holds the bits of earlier batches: it must not part a run, or the sums would remember them
      if (any((bitcast<vec4u>(y) & vec4u(0x7fffffffu)) != vec4u())) {
        if (word != held) {
          for (var left = held; left != 0u; left &= left - 1u) { sums[countTrailingZeros(left)] += run; }
          held = word;
          run = vec4f();
        }
        run += y;
      }
    }
    d += vec4u(dims.out);
  }
  for (var left = held; left != 0u; left &= left - 1u) { sums[countTrailingZeros(left)] += run; }
  let part = (s * dims.slices + group.y) * dims.size + j0;
  if (isBias) {
    put(part + dims.biasAt, j0, sums[0]);
    return;
  }
  let end = min(w * 32u + 32u, dims.features);
  for (var f = w * 32u; f < end; f++) { put(part + dims.weightAt + f * dims.out, j0, sums[f % 32u]); }
}

fn put(at : u32, j : u32, sum : vec4f) {
  partials[at] = sum.x;
  if (j + 1u < dims.out) { partials[at + 1u] = sum.y; }
  if (j + 2u < dims.out) { partials[at + 2u] = sum.z; }
  if (j + 3u < dims.out) { partials[at + 3u] = sum.w; }
}
