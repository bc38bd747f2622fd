// y[t] = x[t + 1]: the number of the next step of the same row; 0 in its last step and on padding. One invocation per step.
//
// x, y : [rows, cols]

struct Dims { rows : u32, cols : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       x      : array<f32>;
@group(0) @binding(2) var<storage, read>       length : array<u32>;
@group(0) @binding(3) var<storage, read_write> y      : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.rows * dims.cols) { return; }
  y[id] = 0.0;
  if (id % dims.cols + 1u < length[id / dims.cols]) { y[id] = x[id + 1u]; }
}
