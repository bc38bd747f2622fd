// Negative credit of every task group scaled by how often the group is paid (GUI-Libra, arXiv 2602.22190):
//
//   scale = clamp(b₀ + b₁·mean R, 0, 1)     A ← A·scale where A < 0
//
// One invocation per step; padding stays.
//
// credit : sections, the first is A [S, B, T]     groups : [S, P, 4], the second number is the mean return of the group

struct Dims { B : u32, T : u32, P : u32, base : f32, slope : f32 }

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       length    : array<u32>;
@group(0) @binding(2) var<storage, read>       taskIndex : array<u32>;
@group(0) @binding(3) var<storage, read>       groups    : array<f32>;
@group(0) @binding(4) var<storage, read_write> credit    : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.B * dims.T) { return; }
  let row = group.z * dims.B + id / dims.T;
  if (id % dims.T >= length[row]) { return; }
  let k = group.z * dims.B * dims.T + id;
  let mean = groups[4u * (group.z * dims.P + taskIndex[row]) + 1u];
  let A = credit[k];
  if (A < 0.0) { credit[k] = A * clamp(dims.base + dims.slope * mean, 0.0, 1.0); }
}
