// The way back of gatherRows: prefixes get their row of Y, all other tokens 0. One invocation per (token, column).
//
// rows : [S, 4 + 2R]     tokens : [S, maxTokens, 4]     Y : [S, maxQueries, D]     X : [S, maxTokens, D]

struct Dims { stride : u32, maxTokens : u32, maxQueries : u32, J : u32, D : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       rows   : array<u32>;
@group(0) @binding(2) var<storage, read>       tokens : array<vec4u>;
@group(0) @binding(3) var<storage, read>       Y      : array<f32>;
@group(0) @binding(4) var<storage, read_write> X      : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  let i = id / dims.D;
  if (i >= rows[s * dims.stride + 1u]) { return; }
  let t = tokens[s * dims.maxTokens + i];
  var x = 0.0;
  if (prefixOf(t) > 0u) {
    x = Y[(s * dims.maxQueries + rowOf(t) * dims.J + prefixOf(t) - 1u) * dims.D + id % dims.D];
  }
  X[s * dims.maxTokens * dims.D + id] = x;
}
