// A replica that has moved too far takes no further step on its batch. At look k of an update:
//
//   hold    behind the weights (k > 0): trajectories of a stopped replica weigh nothing
//   keep    behind the gradient: a stopped replica keeps the one it stopped at
//   judge   behind the norm, see judge.wgsl: whether it stops
//
// One invocation per trajectory, one per parameter.
//
// plan : [S, B, 2] = weight, length     gradient, held : [S, size]     record : [S, 16], the first 1 if stopped

struct Dims { S : u32, B : u32, size : u32, k : u32 }

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read_write> plan     : array<f32>;
@group(0) @binding(2) var<storage, read_write> gradient : array<f32>;
@group(0) @binding(3) var<storage, read_write> held     : array<f32>;
@group(0) @binding(4) var<storage, read>       record   : array<f32>;

@compute @workgroup_size(64)
fn hold(@builtin(global_invocation_id) id : vec3u) {
  let row = id.x;
  if (row >= dims.S * dims.B) { return; }
  if (record[16u * (row / dims.B)] != 0.0) { plan[2u * row] = 0.0; }
}

@compute @workgroup_size(64)
fn keep(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.size) { return; }
  let at = group.z * dims.size + id;
  if (dims.k > 0u && record[16u * group.z] != 0.0) { gradient[at] = held[at]; } else { held[at] = gradient[at]; }
}
