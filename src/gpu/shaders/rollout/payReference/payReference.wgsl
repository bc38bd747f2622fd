// The KL term in the reward: every step pays for what the reference finds unlikely.
//
//   r' = r − β·Δ     Δ = log π_old(a) − log π_ref(a)     R' = Σ r'
//
// With β = 0 rewards and returns stay as they are. One invocation per trajectory; padding is written as 0. The mean of Δ is
// that of meanDelta.wgsl. Both take 16.2 ms for 30 steps of 16,384 rows as one workgroup does, but in pieces where needed (two
// cores of SwiftShader, loaded).
//
// stats : [S·B·T, 6] of a look with the reference, the fifth number is −Δ     reward, paid : [S, B, T]
// outcome, total : [S, B]     live : see coefficients, the third number is β

struct Dims { B : u32, T : u32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       stats   : array<f32>;
@group(0) @binding(2) var<storage, read>       length  : array<u32>;
@group(0) @binding(3) var<storage, read>       reward  : array<f32>;
@group(0) @binding(4) var<storage, read>       outcome : array<f32>;
@group(0) @binding(5) var<storage, read_write> paid    : array<f32>;
@group(0) @binding(6) var<storage, read_write> total   : array<f32>;
@group(0) @binding(7) var<uniform>             live    : array<vec4f, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = (group.x + group.y * 65535u) * 64u + local;
  if (i >= dims.B) { return; }
  let row = group.z * dims.B + i;
  let beta = live[group.z].z;
  var sum = 0.0;
  for (var t = 0u; t < dims.T; t++) {
    let k = row * dims.T + t;
    var r = 0.0;
    if (t < length[row]) { r = reward[k] + beta * stats[6u * k + 4u]; }
    paid[k] = r;
    sum += r;
  }
  total[row] = select(outcome[row], sum, beta != 0.0);
}
