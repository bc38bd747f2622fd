// Applies the statistics of a segment to its members: mode 0 (x − mean)/(std + 1e-6), 1 x − mean,
// 2 leave-one-out n/(n−1)·(x − mean), 3 the same divided by the std over n (+ 1e-6), 4: 1,
// 5 x/(std + 1e-6), 6 (x − mean)/std, which is (x − least)/width by the stats of a range, 7 the mean, also of a degenerate
// segment, 8 x in a segment of one and 0 in others, 9 (x − mean)/(std over n + 1e-6). Other degenerate segments and padding are exactly 0. One invocation per element.
//
// x, y : [S, B, cols]     stats : [S, segments, 4] of segmentStats

struct Dims { B : u32, cols : u32, segments : u32, mode : u32 }

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       x         : array<f32>;
@group(0) @binding(2) var<storage, read>       length    : array<u32>;
@group(0) @binding(3) var<storage, read>       taskIndex : array<u32>;
@group(0) @binding(4) var<storage, read>       stats     : array<f32>;
@group(0) @binding(5) var<storage, read_write> y         : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.B * dims.cols) { return; }
  let s = group.z;
  let row = s * dims.B + id / dims.cols;
  let k = row * dims.cols + id % dims.cols;
  if (dims.cols > 1u && id % dims.cols >= length[row]) { y[k] = 0.0; return; }
  let at = (s * dims.segments + select(taskIndex[row], 0u, dims.segments == 1u)) * 4u;
  if (dims.mode == 7u) { y[k] = stats[at + 1u]; return; }
  if (dims.mode == 8u) { y[k] = select(0.0, x[k], stats[at] == 1.0); return; }
  if (stats[at + 3u] != 0.0) { y[k] = 0.0; return; }
  let centered = x[k] - stats[at + 1u];
  if (dims.mode == 0u) { y[k] = centered / (stats[at + 2u] + 1.0e-6); }
  else if (dims.mode == 1u) { y[k] = centered; }
  else if (dims.mode == 4u) { y[k] = 1.0; }
  else if (dims.mode == 5u) { y[k] = x[k] / (stats[at + 2u] + 1.0e-6); }
  else if (dims.mode == 6u) { y[k] = centered / stats[at + 2u]; }
  else {
    let n = stats[at];
    y[k] = select(centered * n / (n - 1.0), centered, dims.mode == 9u);
    if (dims.mode != 2u) { y[k] /= stats[at + 2u] * sqrt((n - 1.0) / n) + 1.0e-6; }
  }
}
