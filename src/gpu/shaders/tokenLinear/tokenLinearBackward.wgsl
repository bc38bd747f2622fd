// dX (+)= dY·Wᵀ for the live rows; the transpose is never made. With a mask (what ReLU gave in the forward pass) the
// result is 0 where that was not positive. One invocation computes 4 rows × 4 inputs; replicas in z.
//
// rows : [S, stride]     dY : [S, maxRows, out]     theta : [S, size], W row-major [in, out]     mask, dX : [S, maxRows, in]

struct Dims {
  which : u32, stride : u32, maxRows : u32, inputs : u32, out : u32, size : u32, weightAt : u32, accumulate : u32, hasMask : u32,
}

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       rows  : array<u32>;
@group(0) @binding(2) var<storage, read>       dY    : array<f32>;
@group(0) @binding(3) var<storage, read>       theta : array<f32>;
@group(0) @binding(4) var<storage, read>       mask  : array<f32>;
@group(0) @binding(5) var<storage, read_write> dX    : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  let live = rows[s * dims.stride + dims.which];
  let quarter = (dims.inputs + 3u) / 4u;
  let r0 = (id / quarter) * 4u;
  if (r0 >= live) { return; }
  let r = min(vec4u(r0, r0 + 1u, r0 + 2u, r0 + 3u), vec4u(live - 1u));
  let i0 = id % quarter;
  let i = vec4u(i0, i0 + quarter, i0 + 2u * quarter, i0 + 3u * quarter);
  let d = (s * dims.maxRows + r) * dims.out;
  let W = s * dims.size + dims.weightAt + min(i, vec4u(dims.inputs - 1u)) * dims.out;
  var sum = array<vec4f, 4>();
  for (var j = 0u; j < dims.out; j++) {
    let w = vec4f(theta[W.x + j], theta[W.y + j], theta[W.z + j], theta[W.w + j]);
    sum[0] += dY[d.x + j] * w;
    sum[1] += dY[d.y + j] * w;
    sum[2] += dY[d.z + j] * w;
    sum[3] += dY[d.w + j] * w;
  }
  for (var k = 0u; k < 4u; k++) {
    if (r0 + k >= live) { break; }
    let to = (s * dims.maxRows + r0 + k) * dims.inputs;
    for (var n = 0u; n < 4u; n++) {
      if (i[n] >= dims.inputs) { break; }
      var x = sum[k][n];
      if (dims.accumulate == 1u) { x += dX[to + i[n]]; }
      if (dims.hasMask == 1u) { x = select(0.0, x, mask[to + i[n]] > 0.0); }
      dX[to + i[n]] = x;
    }
  }
}
