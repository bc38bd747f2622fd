// y = x + 1, sixteen bytes an invocation: as many bytes read as written, and hardly any arithmetic.
//
// x, y : [count] vec4

struct Dims { count : u32 }

@group(0) @binding(0) var<uniform>             dims : Dims;
@group(0) @binding(1) var<storage, read>       x    : array<vec4f>;
@group(0) @binding(2) var<storage, read_write> y    : array<vec4f>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 256u + local;
  if (id < dims.count) { y[id] = x[id] + 1.0; }
}
