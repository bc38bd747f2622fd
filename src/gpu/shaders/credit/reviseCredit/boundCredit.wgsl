// A ← clip(A, −c, c), in place. One invocation per step of the first `count` numbers; 0 stays 0, so padding does.
//
// credit : sections, the first is A [S, B, T]

struct Dims { count : u32, bound : f32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read_write> credit : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let k = (group.x + group.y * 65535u) * 64u + local;
  if (k < dims.count) { credit[k] = clamp(credit[k], -dims.bound, dims.bound); }
}
