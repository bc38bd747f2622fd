// dW = Xᵀ·dY and db = sum of dY over rows; the transpose is never made. One invocation computes 1 input × 4 columns,
// and one more input for the bias; rows in fixed order.
//
// X : [S, maxRows, in]     dY : [S, maxRows, out]     gradient : [S, size]

struct Dims { rows : u32, inputs : u32, out : u32, maxRows : u32, size : u32, weightAt : u32, biasAt : u32, hasBias : u32 }

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       X        : array<f32>;
@group(0) @binding(2) var<storage, read>       dY       : array<f32>;
@group(0) @binding(3) var<storage, read_write> gradient : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let columns = (dims.out + 3u) / 4u;
  if (id >= (dims.inputs + dims.hasBias) * columns) { return; }
  let s = group.z;
  let i = id / columns;
  let j0 = (id % columns) * 4u;
  let isBias = i == dims.inputs;
  let last = dims.out - 1u;
  var sum = vec4f();
  for (var r = 0u; r < dims.rows; r++) {
    let row = s * dims.maxRows + r;
    let d = row * dims.out;
    var x = 1.0;
    if (!isBias) { x = X[row * dims.inputs + i]; }
    sum += x * vec4f(dY[d + j0], dY[d + min(j0 + 1u, last)], dY[d + min(j0 + 2u, last)], dY[d + min(j0 + 3u, last)]);
  }
  let to = s * dims.size + select(dims.weightAt + i * dims.out, dims.biasAt, isBias) + j0;
  for (var c = 0u; c < 4u; c++) {
    if (j0 + c < dims.out) { gradient[to + c] = sum[c]; }
  }
}
