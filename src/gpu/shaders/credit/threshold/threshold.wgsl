// y = 1 where |x| ≥ `least`, else 0. One invocation per trajectory.
//
// x, y : [rows]

struct Dims { rows : u32, least : f32 }

@group(0) @binding(0) var<uniform>             dims : Dims;
@group(0) @binding(1) var<storage, read>       x    : array<f32>;
@group(0) @binding(2) var<storage, read_write> y    : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let row = group.x * 64u + local;
  if (row >= dims.rows) { return; }
  y[row] = select(0.0, 1.0, abs(x[row]) >= dims.least);
}
