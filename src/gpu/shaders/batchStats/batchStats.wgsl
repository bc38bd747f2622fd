// Metrics of a finished batch that need no update: success, return, length, entropy, steps in anchor groups, groups
// that agree. Trajectories of length 0 do not count. One workgroup per replica, fixed tree.
//
// ending : [S, B, 4] = success, terminated, outcome in thousandths (i32), unused     outcome : [S, B]
// sampled : [3][S, B, T], the second part is the entropy     next : [S, B, T] of keyMatch     groups : [S, P, 4] of segmentStats
// record : [S, 8] = successes, sum of returns, steps, sum of entropy, anchored steps, degenerate groups

struct Dims { B : u32, T : u32, P : u32, floatSection : u32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       length  : array<u32>;
@group(0) @binding(2) var<storage, read>       ending  : array<u32>;
@group(0) @binding(3) var<storage, read>       outcome : array<f32>;
@group(0) @binding(4) var<storage, read>       sampled : array<f32>;
@group(0) @binding(5) var<storage, read>       next    : array<u32>;
@group(0) @binding(6) var<storage, read>       groups  : array<f32>;
@group(0) @binding(7) var<storage, read_write> record  : array<f32>;

var<workgroup> first  : array<vec4f, 64>;
var<workgroup> second : array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  var sum = vec4f();
  var anchored = 0.0;
  for (var i = local; i < dims.B; i += 64u) {
    let row = s * dims.B + i;
    if (length[row] == 0u) { continue; }
    sum += vec4f(f32(ending[4u * row]), outcome[row], f32(length[row]), 0.0);
    for (var t = 0u; t < length[row]; t++) {
      sum.w += sampled[dims.floatSection + row * dims.T + t];
      if (next[row * dims.T + t] != i * dims.T + t) { anchored += 1.0; }
    }
  }
  first[local] = sum;
  second[local] = anchored;
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (local < half) {
      first[local] += first[local + half];
      second[local] += second[local + half];
    }
    workgroupBarrier();
  }
  if (local == 0u) {
    var agree = 0.0;
    for (var g = 0u; g < dims.P; g++) { agree += groups[(s * dims.P + g) * 4u + 3u]; }
    let at = s * 8u;
    record[at] = first[0].x;
    record[at + 1u] = first[0].y;
    record[at + 2u] = first[0].z;
    record[at + 3u] = first[0].w;
    record[at + 4u] = second[0];
    record[at + 5u] = agree;
  }
}
