// dX = dY·Wᵀ; the transpose is never made. One invocation computes 4 rows × 1 input.
//
// dY : [S, maxRows, out]     theta : [S, size], W row-major [in, out]     dX : [S, maxRows, in]

struct Dims { rows : u32, inputs : u32, out : u32, maxRows : u32, size : u32, weightAt : u32 }

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       dY    : array<f32>;
@group(0) @binding(2) var<storage, read>       theta : array<f32>;
@group(0) @binding(3) var<storage, read_write> dX    : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= ((dims.rows + 3u) / 4u) * dims.inputs) { return; }
  let s = group.z;
  let r0 = (id / dims.inputs) * 4u;
  let i = id % dims.inputs;
  let W = s * dims.size + dims.weightAt + i * dims.out;
  let d = (s * dims.maxRows + r0) * dims.out;
  var sum = vec4f();
  for (var j = 0u; j < dims.out; j++) {
    let w = theta[W + j];
    for (var k = 0u; k < 4u; k++) {
      if (r0 + k < dims.rows) { sum[k] += dY[d + k * dims.out + j] * w; }
    }
  }
  for (var k = 0u; k < 4u; k++) {
    if (r0 + k < dims.rows) { dX[(s * dims.maxRows + r0 + k) * dims.inputs + i] = sum[k]; }
  }
}
