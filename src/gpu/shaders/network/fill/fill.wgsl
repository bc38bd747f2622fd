// x[k] = value. One invocation per number.
//
// x : [count]

struct Dims { count : u32, value : f32 }

@group(0) @binding(0) var<uniform>             dims : Dims;
@group(0) @binding(1) var<storage, read_write> x    : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id < dims.count) { x[id] = dims.value; }
}
