// Forward: H = activated(Z). Backward: dH ← dH · act′(Z), in place.
// activated and slope are those of act.wgsl. One invocation per number.
//
// Z, H, dH : [S, maxRows, width], the first rows·width numbers of each replica

struct Dims { count : u32, stride : u32, kind : u32 }

@group(0) @binding(0) var<uniform>             dims : Dims;
@group(0) @binding(1) var<storage, read>       Z    : array<f32>;
@group(0) @binding(2) var<storage, read_write> H    : array<f32>;

@compute @workgroup_size(64)
fn forward(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.count) { return; }
  let k = group.z * dims.stride + id;
  H[k] = activated(Z[k]);
}

@compute @workgroup_size(64)
fn backward(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.count) { return; }
  let k = group.z * dims.stride + id;
  H[k] = H[k] * slope(Z[k]);
}
