// Values of the rows of a chunk by trajectory: y[i] = last output of the row, or the soft minimum of the last two, whose step belongs to trajectory i.
// One invocation per row.
//
// rows : [S, 4 + 2R] = rows, tokens, queries, 0, end of each row, step i·T + t of each     out : [S, R, n]     y : [S, B]

struct Dims { R : u32, n : u32, values : u32, B : u32, T : u32 }

@group(0) @binding(0) var<uniform>             dims : Dims;
@group(0) @binding(1) var<storage, read>       rows : array<u32>;
@group(0) @binding(2) var<storage, read>       out  : array<f32>;
@group(0) @binding(3) var<storage, read_write> y    : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let r = group.x * 64u + local;
  let s = group.z;
  let start = s * (4u + 2u * dims.R);
  if (r >= rows[start]) { return; }
  let i = rows[start + 4u + dims.R + r] / dims.T;
  let end = (s * dims.R + r + 1u) * dims.n;
  var V = out[end - 1u];
  if (dims.values == 2u) { V = softMin(out[end - 2u], V); }
  y[s * dims.B + i] = V;
}
