// Lists the live steps of a batch, see places.wgsl, linked behind this text. One workgroup per replica counts, and then every
// step takes its place: in `main` by the same workgroup, which does for a small batch, else after `count` in `spread`, one
// invocation per step.
//
// plan : [S, B, 2] = weight, length

struct Dims { B : u32, T : u32, all : u32 }

@group(0) @binding(0) var<uniform>       dims : Dims;
@group(0) @binding(1) var<storage, read> plan : array<f32>;

fn weightOf(s : u32, i : u32) -> f32 { return plan[2u * (s * dims.B + i)]; }
fn lengthOf(s : u32, i : u32) -> u32 { return u32(plan[2u * (s * dims.B + i) + 1u]); }

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  putAll(group.z, local);
}

@compute @workgroup_size(256)
fn count(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) { begin(group.z, local, false); }

@compute @workgroup_size(64)
fn spread(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.B * dims.T) { return; }
  let i = id / dims.T;
  let t = id % dims.T;
  let start = startOf(group.z) + 4u + dims.B;
  if (t < stepsOf(group.z, i)) { list[start + dims.B + list[start + i] + t] = id + i; }
}
