// X = E[token] + P[place]. One invocation per (token, column); replicas in z.
//
// rows : [S, stride], the second word counts tokens     tokens : [S, maxRows, 4]     theta : [S, size]     X : [S, maxRows, D]

struct Dims { stride : u32, maxRows : u32, D : u32, size : u32, wordAt : u32, placeAt : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       rows   : array<u32>;
@group(0) @binding(2) var<storage, read>       tokens : array<vec4u>;
@group(0) @binding(3) var<storage, read>       theta  : array<f32>;
@group(0) @binding(4) var<storage, read_write> X      : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  let i = id / dims.D;
  if (i >= rows[s * dims.stride + 1u]) { return; }
  let j = id % dims.D;
  let t = tokens[s * dims.maxRows + i];
  let theta0 = s * dims.size + j;
  X[(s * dims.maxRows + i) * dims.D + j] =
    theta[theta0 + dims.wordAt + tokenOf(t) * dims.D] + theta[theta0 + dims.placeAt + placeOf(t) * dims.D];
}
