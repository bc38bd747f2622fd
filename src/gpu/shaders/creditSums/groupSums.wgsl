// Sums over the trajectories of each task group, a block of rows: who succeeded, where the credit lies, how far the critic was off.
// Trajectories of length 0 do not count. One workgroup per (group, replica): 64 partial sums over every 64th step of a trajectory, then a fixed tree.
//
// length : [S, B]     ending : [S, B, 4], the first number is the success     credit : [2][S, B, T] = A, target
// sampled : [3][S, B, T], the third part is V
// sums : [S, P, 12] = trajectories, successes, Σ length of successes, 1 if some |A| > 1e-8, steps, ΣA, ΣA², steps with
//        A > 0, Σ target, Σ target², Σ(target − V), Σ(target − V)²

struct Dims { B : u32, T : u32, P : u32, G : u32, floatSection : u32 }

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       length    : array<u32>;
@group(0) @binding(2) var<storage, read>       ending    : array<u32>;
@group(0) @binding(3) var<storage, read>       credit    : array<f32>;
@group(0) @binding(4) var<storage, read>       sampled   : array<f32>;
@group(0) @binding(5) var<storage, read_write> sums      : array<f32>;

var<workgroup> who    : array<vec4f, 64>;
var<workgroup> where_ : array<vec4f, 64>;
var<workgroup> critic : array<vec4f, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  var a = vec4f();
  var b = vec4f();
  var c = vec4f();
  let end = min(group.x * dims.G + dims.G, dims.B);
  for (var i = group.x * dims.G; i < end; i++) {
    let row = s * dims.B + i;
    if (length[row] == 0u) { continue; }
    if (local == 0u) {
      let wins = f32(ending[4u * row]);
      let steps = f32(length[row]);
      a += vec4f(1.0, wins, wins * steps, 0.0);
      b.x += steps;
    }
    for (var t = local; t < length[row]; t += 64u) {
      let k = row * dims.T + t;
      let A = credit[k];
      if (abs(A) > 1.0e-8) { a.w = 1.0; }
      b += vec4f(0.0, A, A * A, select(0.0, 1.0, A > 0.0));
      let target_ = credit[dims.floatSection + k];
      let e = target_ - sampled[2u * dims.floatSection + k];
      c += vec4f(target_, target_ * target_, e, e * e);
    }
  }
  who[local] = a;
  where_[local] = b;
  critic[local] = c;
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (local < half) {
      let x = who[local];
      let y = who[local + half];
      who[local] = vec4f(x.xyz + y.xyz, max(x.w, y.w));
      where_[local] += where_[local + half];
      critic[local] += critic[local + half];
    }
    workgroupBarrier();
  }
  if (local != 0u) { return; }
  let at = (s * dims.P + group.x) * 12u;
  for (var k = 0u; k < 4u; k++) {
    sums[at + k] = who[0][k];
    sums[at + 4u + k] = where_[0][k];
    sums[at + 8u + k] = critic[0][k];
  }
}
