// z = f(x, y) on real steps, 0 on padding; with cols 1 one number per row, none of them padding. `xCols`, `yCols`: numbers of
// a row, 1 for all its steps, 0 for the number a or b everywhere. One invocation per number.
//
// f: 0 x + y   1 x − y   2 x·y   3 x / y, 0 for y = 0   4 least   5 greatest   6 x < y   7 x ≤ y   8 x = y
//    9 y where x ≠ 0, else 0   10 y where x = 0, else 0
// x : [rows, xCols]     y : [rows, yCols]     z : [rows, cols]

struct Dims { rows : u32, cols : u32, xCols : u32, yCols : u32, f : u32, a : f32, b : f32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       x      : array<f32>;
@group(0) @binding(2) var<storage, read>       y      : array<f32>;
@group(0) @binding(3) var<storage, read>       length : array<u32>;
@group(0) @binding(4) var<storage, read_write> z      : array<f32>;

fn f(u : f32, v : f32) -> f32 {
  switch dims.f {
    case 0u: { return u + v; }
    case 1u: { return u - v; }
    case 2u: { return u * v; }
    case 3u: { if (v == 0.0) { return v; } return u / v; }
    case 4u: { return min(u, v); }
    case 5u: { return max(u, v); }
    case 6u: { return f32(u < v); }
    case 7u: { return f32(u <= v); }
    case 8u: { return f32(u == v); }
    case 9u: { return select(0.0, v, u != 0.0); }
    default: { return select(0.0, v, u == 0.0); }
  }
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.rows * dims.cols) { return; }
  let row = id / dims.cols;
  let t = id % dims.cols;
  z[id] = 0.0;
  if (dims.cols > 1u && t >= length[row]) { return; }
  var u = dims.a;
  var v = dims.b;
  if (dims.xCols > 0u) { u = x[row * dims.xCols + t % dims.xCols]; }
  if (dims.yCols > 0u) { v = y[row * dims.yCols + t % dims.yCols]; }
  z[id] = f(u, v);
}
