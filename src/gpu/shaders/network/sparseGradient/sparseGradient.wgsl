// Gradient of the first layer: dW[f,j] = sum over rows with bit f of dY[r,j]; db[j] = sum of dY[r,j].
// One invocation per (feature, output), and one more feature for the bias; rows in fixed order, so no atomics.
// All invocations of a workgroup mostly share f: the word they test is the same.
//
// bits : words as in sparseForward     dY : [S, maxRows, out]     gradient : [S, size]

struct Dims {
  rows : u32, out : u32, words : u32, B : u32,
  inner : u32, outerStride : u32, innerStride : u32, features : u32,
  size : u32, weightAt : u32, biasAt : u32, hasBias : u32, maxRows : u32,
}

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       bits     : array<u32>;
@group(0) @binding(2) var<storage, read>       dY       : array<f32>;
@group(0) @binding(3) var<storage, read_write> gradient : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= (dims.features + dims.hasBias) * dims.out) { return; }
  let s = group.z;
  let f = id / dims.out;
  let j = id % dims.out;
  let isBias = f == dims.features;
  var total = 0.0;
  for (var r = 0u; r < dims.rows; r++) {
    var isSet = isBias;
    if (!isBias) {
      let start_ = (s * dims.B + r / dims.inner) * dims.outerStride + (r % dims.inner) * dims.innerStride;
      isSet = ((bits[start_ + (f >> 5u)] >> (f & 31u)) & 1u) == 1u;
    }
    if (isSet) { total += dY[(s * dims.maxRows + r) * dims.out + j]; }
  }
  let to = select(dims.weightAt + f * dims.out, dims.biasAt, isBias);
  gradient[s * dims.size + to + j] = total;
}
