// What the softmax takes away from every score's gradient: dO·O of each head. One invocation per (query, head).
//
// rows : [S, stride], word `which` counts live queries     O, dO : [S, maxQueries, D]
// soft : [S, maxQueries, heads, 2], the second word is written

struct Dims { which : u32, stride : u32, maxQueries : u32, heads : u32, width : u32 }

@group(0) @binding(0) var<uniform>             dims : Dims;
@group(0) @binding(1) var<storage, read>       rows : array<u32>;
@group(0) @binding(2) var<storage, read>       O    : array<f32>;
@group(0) @binding(3) var<storage, read>       dO   : array<f32>;
@group(0) @binding(4) var<storage, read_write> soft : array<vec2f>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  if (id / dims.heads >= rows[s * dims.stride + dims.which]) { return; }
  let at = s * dims.maxQueries * dims.heads + id;
  var dot = 0.0;
  for (var j = 0u; j < dims.width; j++) { dot += dO[at * dims.width + j] * O[at * dims.width + j]; }
  soft[at].y = dot;
}
