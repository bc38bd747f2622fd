// Returns in units of all returns so far: the batch is added to their count, mean and squares, then
//
//   R' = clamp((R − μ)/(σ + 1e-6), ±clip), 0 where all were equal     r' = R' at the last step, 0 before
//
// clip = 0: no clip. One workgroup per replica: 64 partial sums over rows i = local, local + 64, …, then a fixed tree.
//
// outcome, total : [S, B]     length : [S, B]     reward : [S, B, T]     known : [S, 3] = returns, their mean, Σ(R − μ)²

struct Dims { B : u32, T : u32, clip : f32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       outcome : array<f32>;
@group(0) @binding(2) var<storage, read>       length  : array<u32>;
@group(0) @binding(3) var<storage, read_write> known   : array<f32>;
@group(0) @binding(4) var<storage, read_write> reward  : array<f32>;
@group(0) @binding(5) var<storage, read_write> total   : array<f32>;

var<workgroup> partial : array<f32, 64>;

fn sumOf(local : u32, x : f32) -> f32 {
  workgroupBarrier();
  partial[local] = x;
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (local < half) { partial[local] += partial[local + half]; }
    workgroupBarrier();
  }
  return partial[0];
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  let n = f32(dims.B);
  let before = vec3f(known[3u * s], known[3u * s + 1u], known[3u * s + 2u]);
  var x = 0.0;
  for (var i = local; i < dims.B; i += 64u) { x += outcome[s * dims.B + i]; }
  let own = sumOf(local, x) / n;
  x = 0.0;
  for (var i = local; i < dims.B; i += 64u) {
    let far = outcome[s * dims.B + i] - own;
    x += far * far;
  }
  let squares = sumOf(local, x);
  let all = before.x + n;
  let moved = own - before.y;
  let mean = before.y + moved * n / all;
  let both = before.z + squares + moved * moved * before.x * n / all;
  if (local == 0u) {
    known[3u * s] = all;
    known[3u * s + 1u] = mean;
    known[3u * s + 2u] = both;
  }
  let spread = sqrt(both / max(all - 1.0, 1.0));
  let isFlat = spread <= 1.0e-5 * max(1.0, abs(mean));
  for (var i = local; i < dims.B; i += 64u) {
    let row = s * dims.B + i;
    var R = select((outcome[row] - mean) / (spread + 1.0e-6), 0.0, isFlat);
    if (dims.clip > 0.0) { R = clamp(R, -dims.clip, dims.clip); }
    total[row] = R;
    for (var t = 0u; t < dims.T; t++) { reward[row * dims.T + t] = select(0.0, R, t + 1u == length[row]); }
  }
}
