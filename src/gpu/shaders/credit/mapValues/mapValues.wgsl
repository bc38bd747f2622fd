// y = f(a·x + b) on real steps, 0 on padding; cols 1: one number per row, none of them padding. One invocation per number.
//
// f: 0 |u|   1 exp u   2 ln u   3 1/(1 + exp(−u))
// x, y : [rows, cols]

struct Dims { rows : u32, cols : u32, f : u32, a : f32, b : f32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       x      : array<f32>;
@group(0) @binding(2) var<storage, read>       length : array<u32>;
@group(0) @binding(3) var<storage, read_write> y      : array<f32>;

fn f(u : f32) -> f32 {
  switch dims.f {
    case 0u: { return abs(u); }
    case 1u: { return exp(u); }
    case 2u: { return log(u); }
    // beyond 80 it is 0 or 1 anyway, and exp would not be finite
    default: { return 1.0 / (1.0 + exp(-clamp(u, -80.0, 80.0))); }
  }
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.rows * dims.cols) { return; }
  y[id] = 0.0;
  if (dims.cols == 1u || id % dims.cols < length[id / dims.cols]) { y[id] = f(dims.a * x[id] + dims.b); }
}
