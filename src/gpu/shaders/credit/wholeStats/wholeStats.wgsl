// segmentStats over all real steps of a replica, or over its trajectories, as one segment, in the two stages of tree.wgsl,
// which is linked in front with moments.wgsl: no workgroup has to read a large batch alone. With `range` 1 the least number
// and the width stand where mean and std would; with `weighted` 1 the one number of a row counts once for each of its steps.
//
// x : [S, B, cols], the first length[row] of each row count (cols 1: a row counts once, unless its length is 0)
// stats : [S, 4] = count, mean, std (n − 1), 1 if degenerate

struct Dims { B : u32, lanes : u32, cols : u32, range : u32, weighted : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       x      : array<f32>;
@group(0) @binding(2) var<storage, read>       length : array<u32>;
@group(0) @binding(3) var<storage, read_write> stats  : array<f32>;

fn add(sums : Sums, s : u32, i : u32) -> Sums {
  let row = s * dims.B + i;
  var now = sums;
  let w = select(1.0, f32(length[row]), dims.weighted == 1u);
  for (var t = 0u; t < min(length[row], dims.cols); t++) {
    let value = x[row * dims.cols + t];
    now = merge(now, Sums(w, value, 0.0, value, value));
  }
  return now;
}

fn finish(s : u32, local : u32, all : Sums) {
  if (local != 0u) { return; }
  let found = told(all, dims.range == 1u);
  for (var k = 0u; k < 4u; k++) { stats[4u * s + k] = found[k]; }
}
