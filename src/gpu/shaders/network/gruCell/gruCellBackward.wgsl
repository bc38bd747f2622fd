// Step t of the way back through a gated recurrent unit, after step t + 1 (gruCell.wgsl). What the memory is blamed for:
//
//   ∂h_t += z_{t+1}·∂h_{t+1} + ∂u_{t+1}·Uᵀ, unless the gradient is cut there     ∂g = ∂h(1 − z)(1 − g²)
//   ∂x_z = ∂u_z = ∂h(h_{t−1} − g)·z(1 − z)     ∂x_r = ∂u_r = ∂g·u_n·r(1 − r)     ∂x_n = ∂g     ∂u_n = ∂g·r
//
// One invocation per (trajectory, number of the memory). unroll = 0: the gradient is never cut, else at its multiples. Linked
// after unitBack.wgsl, and everyStep.wgsl or listedSteps.wgsl.
//
// theta : [S, size]     gates : [S, B·T, 4H]     before : [S, B·T, H]     dH : [S, B·T, H], first that of the head alone
// dX, dU : [S, B·T, 3H]

struct Dims { B : u32, T : u32, H : u32, t : u32, unroll : u32, size : u32, weightAt : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       theta  : array<f32>;
@group(0) @binding(4) var<storage, read_write> dH     : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let H = dims.H;
  let k = id % H;
  let i = id / H;
  let s = group.z;
  if (i >= dims.B) { return; }
  let steps = stepsOf(s, i);
  if (dims.t >= steps) { return; }
  let step = stepAt(s, i, dims.t);
  var d = dH[step * H + k];
  let isCut = dims.unroll > 0u && (dims.t + 1u) % max(dims.unroll, 1u) == 0u;
  if (dims.t + 1u < steps && !isCut) {
    let next = step + 1u;
    d += dH[next * H + k] * gates[next * 4u * H + H + k];
    let w = s * dims.size + dims.weightAt + k * 3u * H;
    let from_ = next * 3u * H;
    // four sums, as gruCell.wgsl has them
    var sum = vec4f();
    for (var j = 0u; j < 3u * H; j += 4u) {
      sum.x += dU[from_ + j] * theta[w + j];
      if (j + 1u < 3u * H) { sum.y += dU[from_ + j + 1u] * theta[w + j + 1u]; }
      if (j + 2u < 3u * H) { sum.z += dU[from_ + j + 2u] * theta[w + j + 2u]; }
      if (j + 3u < 3u * H) { sum.w += dU[from_ + j + 3u] * theta[w + j + 3u]; }
    }
    d += (sum.x + sum.y) + (sum.z + sum.w);
    dH[step * H + k] = d;
  }
  _ = blame(step, k, d);
}
