// Y = X·W + b. One invocation computes a block of 4 rows × 4 columns in registers: a loaded value is used four times
// and no barrier is needed. Replicas in z.
//
// X : [S, maxRows, in]     theta : [S, size], W row-major [in, out]     Y : [S, maxRows, out]

struct Dims { rows : u32, inputs : u32, out : u32, maxRows : u32, size : u32, weightAt : u32, biasAt : u32, hasBias : u32 }

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       X     : array<f32>;
@group(0) @binding(2) var<storage, read>       theta : array<f32>;
@group(0) @binding(3) var<storage, read_write> Y     : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let columns = (dims.out + 3u) / 4u;
  if (id >= ((dims.rows + 3u) / 4u) * columns) { return; }
  let s = group.z;
  let r0 = (id / columns) * 4u;
  let j0 = (id % columns) * 4u;
  let W = s * dims.size + dims.weightAt;
  let x = (s * dims.maxRows + r0) * dims.inputs;
  let last = dims.out - 1u;
  var sum = array<vec4f, 4>();
  for (var i = 0u; i < dims.inputs; i++) {
    let row = W + i * dims.out;
    // columns beyond the last repeat it; they are not written
    let w = vec4f(theta[row + j0], theta[row + min(j0 + 1u, last)], theta[row + min(j0 + 2u, last)], theta[row + min(j0 + 3u, last)]);
    for (var k = 0u; k < 4u; k++) {
      if (r0 + k < dims.rows) { sum[k] += X[x + k * dims.inputs + i] * w; }
    }
  }
  for (var k = 0u; k < 4u; k++) {
    if (r0 + k >= dims.rows) { break; }
    for (var c = 0u; c < 4u; c++) {
      if (j0 + c >= dims.out) { break; }
      var b = 0.0;
      if (dims.hasBias == 1u) { b = theta[s * dims.size + dims.biasAt + j0 + c]; }
      Y[(s * dims.maxRows + r0 + k) * dims.out + j0 + c] = sum[k][c] + b;
    }
  }
}
