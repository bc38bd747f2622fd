// z = a·x + b·y + c·x·y on real steps, 0 on padding. `xCols`, `yCols` 1 broadcasts one number per row to all its steps.
// One invocation per step.
//
// x : [rows, xCols]     y : [rows, yCols]     z : [rows, cols]

struct Dims { rows : u32, cols : u32, xCols : u32, yCols : u32, a : f32, b : f32, c : f32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       x      : array<f32>;
@group(0) @binding(2) var<storage, read>       y      : array<f32>;
@group(0) @binding(3) var<storage, read>       length : array<u32>;
@group(0) @binding(4) var<storage, read_write> z      : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.rows * dims.cols) { return; }
  let row = id / dims.cols;
  let t = id % dims.cols;
  if (t >= length[row]) { z[id] = 0.0; return; }
  let left = x[row * dims.xCols + select(t, 0u, dims.xCols == 1u)];
  let right = y[row * dims.yCols + select(t, 0u, dims.yCols == 1u)];
  z[id] = dims.a * left + dims.b * right;
  // the product of two large numbers may be beyond all floats
  if (dims.c != 0.0) { z[id] += dims.c * left * right; }
}
