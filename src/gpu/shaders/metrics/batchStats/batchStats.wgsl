// Metrics of a finished batch that need no update: success, return, length, entropy, steps in anchor groups, groups
// that agree. Trajectories of length 0 do not count. Linked with tree.wgsl and steps.wgsl. 30 steps of 16,384
// rows take 7 ms as those of one workgroup do, but in pieces where needed (two cores of SwiftShader).
//
// ending : [S, B, 4] = success, terminated, outcome in thousandths (i32), unused     outcome : [S, B]
// sampled : [3][S, B, T], the second part is the entropy     next : [S, B, T] of keyMatch     groups : [S, P, 4] of segmentStats
// record : [S, 8] = successes, sum of returns, steps, sum of entropy, anchored steps, degenerate groups

struct Dims { B : u32, lanes : u32, pieces : u32, T : u32, P : u32, floatSection : u32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       length  : array<u32>;
@group(0) @binding(2) var<storage, read>       ending  : array<u32>;
@group(0) @binding(3) var<storage, read>       outcome : array<f32>;
@group(0) @binding(4) var<storage, read>       sampled : array<f32>;
@group(0) @binding(5) var<storage, read>       next    : array<u32>;
@group(0) @binding(6) var<storage, read>       groups  : array<f32>;
@group(0) @binding(7) var<storage, read_write> record  : array<f32>;

/// successes, returns, steps, entropy; steps in sets; groups that agree
struct Sums { first : vec4f, anchored : f32, agree : f32 }

fn merge(a : Sums, b : Sums) -> Sums { return Sums(a.first + b.first, a.anchored + b.anchored, a.agree + b.agree); }

fn add(s : u32, i : u32, from_ : u32, by : u32) -> Sums {
  var now = Sums();
  let row = s * dims.B + i;
  for (var t = from_; t < length[row]; t += by) {
    now.first.w += sampled[dims.floatSection + row * dims.T + t];
    if (next[row * dims.T + t] != i * dims.T + t) { now.anchored += 1.0; }
  }
  return now;
}

fn whole(sums : Sums, s : u32, i : u32) -> Sums {
  var now = sums;
  // there are no more groups than rows
  if (i < dims.P) { now.agree = groups[(s * dims.P + i) * 4u + 3u]; }
  let row = s * dims.B + i;
  if (length[row] > 0u) { now.first += vec4f(f32(ending[4u * row]), outcome[row], f32(length[row]), 0.0); }
  return now;
}

fn finish(s : u32, local : u32, all : Sums) {
  if (local != 0u) { return; }
  let at = s * 8u;
  for (var k = 0u; k < 4u; k++) { record[at + k] = all.first[k]; }
  record[at + 4u] = all.anchored;
  record[at + 5u] = all.agree;
}
