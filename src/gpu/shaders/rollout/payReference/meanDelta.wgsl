// Mean over the steps of a replica of Δ = log π_old(a) − log π_ref(a), for which payReference pays. Linked after tree.wgsl.
//
// stats : see payReference     own : [S, B] lengths, 0 for trajectories that the mean leaves out
// record : [S, 16], the fifth is the mean of Δ

struct Dims { B : u32, lanes : u32, T : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       stats  : array<f32>;
@group(0) @binding(2) var<storage, read>       own    : array<u32>;
@group(0) @binding(3) var<storage, read_write> record : array<f32>;

struct Sums { delta : f32, steps : f32 }

fn merge(a : Sums, b : Sums) -> Sums { return Sums(a.delta + b.delta, a.steps + b.steps); }

fn add(sums : Sums, s : u32, i : u32) -> Sums {
  let row = s * dims.B + i;
  var now = sums;
  for (var t = 0u; t < own[row]; t++) { now.delta -= stats[(row * dims.T + t) * 6u + 4u]; }
  now.steps += f32(own[row]);
  return now;
}

fn finish(s : u32, local : u32, all : Sums) {
  if (local == 0u) { record[16u * s + 4u] = all.delta / all.steps; }
}
