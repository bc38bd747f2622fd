// The KL term in the reward: every step pays for what the reference finds unlikely.
//
//   r' = r − β·Δ     Δ = log π_old(a) − log π_ref(a)     R' = Σ r'
//
// With β = 0 rewards and returns stay as they are. One workgroup per replica, fixed tree; padding is written as 0.
//
// stats : [S·B·T, 6] of a look with the reference, the fifth number is −Δ     reward, paid : [S, B, T]
// own : [S, B] lengths, 0 for trajectories that the mean leaves out     outcome, total : [S, B]     live : see coefficients, the third number is β     record : [S, 16], the fifth is the mean of Δ

struct Dims { B : u32, T : u32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       stats   : array<f32>;
@group(0) @binding(2) var<storage, read>       length  : array<u32>;
@group(0) @binding(3) var<storage, read>       reward  : array<f32>;
@group(0) @binding(4) var<storage, read>       outcome : array<f32>;
@group(0) @binding(5) var<storage, read_write> paid    : array<f32>;
@group(0) @binding(6) var<storage, read_write> total   : array<f32>;
@group(0) @binding(7) var<storage, read_write> record  : array<f32>;
@group(0) @binding(8) var<uniform>             live    : array<vec4f, 64>;
@group(0) @binding(9) var<storage, read>       own     : array<u32>;

var<workgroup> sums : array<vec2f, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  let beta = live[s].z;
  var all = vec2f();
  for (var i = local; i < dims.B; i += 64u) {
    let row = s * dims.B + i;
    var sum = 0.0;
    for (var t = 0u; t < dims.T; t++) {
      let k = row * dims.T + t;
      paid[k] = 0.0;
      if (t >= length[row]) { continue; }
      let delta = -stats[6u * k + 4u];
      let r = reward[k] - beta * delta;
      paid[k] = r;
      sum += r;
      if (t < own[row]) { all += vec2f(delta, 1.0); }
    }
    total[row] = select(outcome[row], sum, beta != 0.0);
  }
  sums[local] = all;
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (local < half) { sums[local] += sums[local + half]; }
    workgroupBarrier();
  }
  if (local == 0u) { record[16u * s + 4u] = sums[0].x / sums[0].y; }
}
