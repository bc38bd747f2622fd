// Leaves demonstrations out of what is measured of the policy. One invocation per trajectory.
//
//   lengths  own[row] = length[row], 0 for a demonstration
//   weigh    behind a look: a demonstration has neither weight nor length any more
//
// roll : see policyHead, `shown` > 0     length, own : [S, B]     plan : [S, B, 2] = weight, length

struct Dims { rows : u32, T : u32, shown : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       roll   : array<u32>;
@group(0) @binding(2) var<storage, read>       length : array<u32>;
@group(0) @binding(3) var<storage, read_write> own    : array<u32>;
@group(0) @binding(4) var<storage, read_write> plan   : array<f32>;

/// A demonstration dictates the first action.
fn isShown(row : u32) -> bool { return roll[dims.shown + row * dims.T] != 0u; }

@compute @workgroup_size(64)
fn lengths(@builtin(global_invocation_id) id : vec3u) {
  if (id.x >= dims.rows) { return; }
  own[id.x] = select(length[id.x], 0u, isShown(id.x));
}

@compute @workgroup_size(64)
fn weigh(@builtin(global_invocation_id) id : vec3u) {
  if (id.x >= dims.rows || !isShown(id.x)) { return; }
  plan[2u * id.x] = 0.0;
  plan[2u * id.x + 1u] = 0.0;
}
