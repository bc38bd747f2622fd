// What the process model says of every trajectory. One invocation per trajectory.
//
//   q[i] = β Σ_t (log π_φ − log π_old), divided by the length with `mean`
//
// phi, logp : [S, B, T]     length, q : [S, B]

struct Dims { rows : u32, T : u32, beta : f32, mean : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       phi    : array<f32>;
@group(0) @binding(2) var<storage, read>       logp   : array<f32>;
@group(0) @binding(3) var<storage, read>       length : array<u32>;
@group(0) @binding(4) var<storage, read_write> q      : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let row = (group.x + group.y * 65535u) * 64u + local;
  if (row >= dims.rows) { return; }
  var total = 0.0;
  for (var t = 0u; t < length[row]; t++) { total += phi[row * dims.T + t] - logp[row * dims.T + t]; }
  q[row] = dims.beta * total / select(1.0, f32(length[row]), dims.mean == 1u);
}
