// What reaches the hidden units of a model of rewards: d_j = slope·w₂_j·(1 − h_j²). One invocation per state and unit.
//
// slope : [S, states]     rest : [S, 545], w₂ from 528 on     hidden, d : [S, states, 16]

struct Dims { states : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       slope  : array<f32>;
@group(0) @binding(2) var<storage, read>       rest   : array<f32>;
@group(0) @binding(3) var<storage, read>       hidden : array<f32>;
@group(0) @binding(4) var<storage, read_write> d      : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= 16u * dims.states) { return; }
  let at = 16u * group.z * dims.states + id;
  let h = hidden[at];
  d[at] = slope[at / 16u] * rest[545u * group.z + 528u + id % 16u] * (1.0 - h * h);
}
