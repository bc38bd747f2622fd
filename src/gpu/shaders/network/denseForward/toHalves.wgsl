// Yh = x in half floats, for the products that read them. One invocation per 4 numbers; `Four` and Yh: see halves.wgsl.
//
// x : [count/4]     Yh : [count/4]

struct Dims { count : u32 }

@group(0) @binding(0) var<uniform>       dims : Dims;
@group(0) @binding(1) var<storage, read> x    : array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (4u * id < dims.count) { alsoStore(id, x[id]); }
}
