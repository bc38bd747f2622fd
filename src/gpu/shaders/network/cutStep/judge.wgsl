// Behind a look at the minibatch of step k with the new θ, for cutStep: share = min(1, limit / KL), KL the mean over its steps.
// A replica that takes no further step in this update keeps nothing of it: its share is not counted. Linked after tree.wgsl.
// 30 steps of 16,384 rows take 7.2 ms as those of one workgroup do, but in pieces where needed (two cores of SwiftShader, loaded).
//
// stats : [S, B·T, 6], the third number is the KL to the reference of a step     plan : [S, B, 2] = weight, length
// record : [S, 16], the first 1 if stopped (stopAbove), the sixth the sum of shares, the seventh the share

struct Dims { B : u32, lanes : u32, T : u32, k : u32, limit : f32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       stats  : array<f32>;
@group(0) @binding(2) var<storage, read>       plan   : array<f32>;
@group(0) @binding(3) var<storage, read_write> record : array<f32>;

struct Sums { kl : f32, steps : f32 }

fn merge(a : Sums, b : Sums) -> Sums { return Sums(a.kl + b.kl, a.steps + b.steps); }

fn add(sums : Sums, s : u32, i : u32) -> Sums {
  let row = s * dims.B + i;
  if (plan[2u * row] == 0.0) { return sums; }
  var now = sums;
  for (var t = 0u; t < u32(plan[2u * row + 1u]); t++) {
    now = merge(now, Sums(stats[(row * dims.T + t) * 6u + 2u], 1.0));
  }
  return now;
}

fn finish(s : u32, local : u32, all : Sums) {
  if (local != 0u) { return; }
  let at = 16u * s;
  var share = 1.0;
  if (all.kl > dims.limit * all.steps) { share = dims.limit * all.steps / all.kl; }
  if (dims.k == 0u) { record[at + 5u] = 0.0; }
  if (record[at] == 0.0) { record[at + 5u] += share; }
  record[at + 6u] = share;
}
