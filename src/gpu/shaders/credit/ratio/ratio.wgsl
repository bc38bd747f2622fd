// z = x / y on real steps where y > 0, else 0. One invocation per step.
//
// x, y, z : [rows, cols]

struct Dims { rows : u32, cols : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       x      : array<f32>;
@group(0) @binding(2) var<storage, read>       y      : array<f32>;
@group(0) @binding(3) var<storage, read>       length : array<u32>;
@group(0) @binding(4) var<storage, read_write> z      : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.rows * dims.cols) { return; }
  z[id] = 0.0;
  if (id % dims.cols < length[id / dims.cols] && y[id] > 0.0) { z[id] = x[id] / y[id]; }
}
