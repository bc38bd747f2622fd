// Y[m] = X of the m-th prefix (the last J tokens of every row). One invocation per (prefix, column); replicas in z.
//
// rows : [S, 4 + 2R] = rows, tokens, queries, 0, end of each row, …     X : [S, maxTokens, D]     Y : [S, maxQueries, D]

struct Dims { stride : u32, maxTokens : u32, maxQueries : u32, J : u32, D : u32 }

@group(0) @binding(0) var<uniform>             dims : Dims;
@group(0) @binding(1) var<storage, read>       rows : array<u32>;
@group(0) @binding(2) var<storage, read>       X    : array<f32>;
@group(0) @binding(3) var<storage, read_write> Y    : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  let m = id / dims.D;
  if (m >= rows[s * dims.stride + 2u]) { return; }
  let q = rows[s * dims.stride + 4u + m / dims.J] - dims.J + m % dims.J;
  Y[s * dims.maxQueries * dims.D + id] = X[(s * dims.maxTokens + q) * dims.D + id % dims.D];
}
