// Sum of the parts that slices of rows have added up, in the order of the slices. One invocation per parameter;
// replicas in z.
//
// partials : [S, slices, size]     gradient : [S, size]

struct Dims { size : u32, slices : u32 }

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       partials : array<f32>;
@group(0) @binding(2) var<storage, read_write> gradient : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let k = (group.x + group.y * 65535u) * 64u + local;
  if (k >= dims.size) { return; }
  let s = group.z;
  var sum = 0.0;
  for (var i = 0u; i < dims.slices; i++) { sum += partials[(s * dims.slices + i) * dims.size + k]; }
  gradient[s * dims.size + k] = sum;
}
