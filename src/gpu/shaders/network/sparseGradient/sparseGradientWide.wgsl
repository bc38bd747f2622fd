// Gradient of the first layer over a slice of the rows, outputs in multiples of 4: one invocation per word of features and 4
// outputs. Variants, and how it adds up: see sparseGradientAny.wgsl.
//
// bits : words as in sparseForward     dY : [S, maxRows, out/4]     partials : [S, slices, size/4]

struct Dims {
  rows : u32, out : u32, words : u32, B : u32,
  inner : u32, outerStride : u32, innerStride : u32, features : u32,
  slices : u32, size : u32, weightAt : u32, biasAt : u32, hasBias : u32, maxRows : u32,
}

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       bits     : array<u32>;
@group(0) @binding(2) var<storage, read>       dY       : array<vec4f>;
@group(0) @binding(3) var<storage, read_write> partials : array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = group.x * 64u + local;
  let out4 = dims.out / 4u;
  let w = id / out4;
  if (w >= dims.words + dims.hasBias) { return; }
  let isBias = w == dims.words;
  let j = id % out4;
  let s = group.z;
  let stretch = (dims.rows + dims.slices - 1u) / dims.slices;
  let from_ = group.y * stretch;
  let to = min(from_ + stretch, dims.rows);
  var sums : array<vec4f, 32>;
  var held = 0u;
  var run = vec4f();
  var step_ = from_ % dims.inner;
  var row = (s * dims.B + from_ / dims.inner) * dims.outerStride;
  var d = (s * dims.maxRows + from_) * out4 + j;
  for (var r = from_; r < to; r++) {
    var word = 1u;
    if (!isBias) { word = bits[row + step_ * dims.innerStride + w]; }
    if (word != 0u) {
      let y = dY[d];
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
    d += out4;
    step_++;
    if (step_ == dims.inner) {
      step_ = 0u;
      row += dims.outerStride;
    }
  }
  for (var left = held; left != 0u; left &= left - 1u) { sums[countTrailingZeros(left)] += run; }
  let part = (s * dims.slices + group.y) * dims.size;
  if (isBias) {
    partials[(part + dims.biasAt) / 4u + j] = sums[0];
    return;
  }
  let at = (part + dims.weightAt) / 4u + j;
  let end = min(w * 32u + 32u, dims.features);
  for (var f = w * 32u; f < end; f++) { partials[at + f * out4] = sums[f % 32u]; }
}
