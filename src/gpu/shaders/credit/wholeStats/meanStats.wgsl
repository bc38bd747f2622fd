// Count, mean and std of the means of the segments of each replica, every segment with a member once. Linked after
// tree.wgsl and moments.wgsl.
//
// means : [S, B, 4] of segmentStats, for B segments     stats : [S, 4] = count, mean, std (n − 1), 1 if degenerate

struct Dims { B : u32, lanes : u32 }

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       means : array<f32>;
@group(0) @binding(2) var<storage, read_write> stats : array<f32>;

fn add(sums : Sums, s : u32, i : u32) -> Sums {
  let at = 4u * (s * dims.B + i);
  if (means[at] == 0.0) { return sums; }
  let x = means[at + 1u];
  return merge(sums, Sums(1.0, x, 0.0, x, x));
}

fn finish(s : u32, local : u32, all : Sums) {
  if (local != 0u) { return; }
  let found = told(all, false);
  for (var k = 0u; k < 4u; k++) { stats[4u * s + k] = found[k]; }
}
