// A step that led too far from the reference is cut. At step k of an update:
//
//   hold    before the step: before = θ
//   judge   behind a look at its minibatch with the new θ, see judge.wgsl: the share of the step that is kept
//   cut     behind that: θ = before + share·(θ − before), where the share is below 1
//
// One invocation per parameter.
//
// theta, before : [S, size]     record : [S, 16], the seventh the share

struct Dims { size : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read_write> theta  : array<f32>;
@group(0) @binding(2) var<storage, read_write> before : array<f32>;
@group(0) @binding(3) var<storage, read>       record : array<f32>;

@compute @workgroup_size(64)
fn hold(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.size) { return; }
  let at = group.z * dims.size + id;
  before[at] = theta[at];
}

@compute @workgroup_size(64)
fn cut(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.size) { return; }
  let share = record[16u * group.z + 6u];
  if (share >= 1.0) { return; }
  let at = group.z * dims.size + id;
  theta[at] = before[at] + share * (theta[at] - before[at]);
}
