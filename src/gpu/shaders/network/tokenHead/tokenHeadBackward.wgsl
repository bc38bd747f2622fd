// ∂ of the normalized stream at the prefixes: the words of each prefix's slots weighted with dOut, and at the empty
// prefix the values' vectors. One invocation per (prefix of a row, column); slots in order.
//
// rows : [S, stride]     dOut : [S, R, n]     theta : [S, size]     grammar : as in tokenHead.wgsl     dN : [S, R·J, D]

struct Dims {
  stride : u32, R : u32, J : u32, slots : u32, n : u32, D : u32, size : u32, wordsAt : u32, valueAt : u32, scale : f32,
}

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       rows    : array<u32>;
@group(0) @binding(2) var<storage, read>       dOut    : array<f32>;
@group(0) @binding(3) var<storage, read>       theta   : array<f32>;
@group(0) @binding(4) var<storage, read>       grammar : array<u32>;
@group(0) @binding(5) var<storage, read_write> dN      : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  let r = id / (dims.J * dims.D);
  if (r >= rows[s * dims.stride]) { return; }
  let node = (id / dims.D) % dims.J;
  let j = id % dims.D;
  let d = (s * dims.R + r) * dims.n;
  let first = grammar[5u * node + 3u];
  let words = s * dims.size + dims.wordsAt + j;
  var sum = 0.0;
  for (var c = first; c < first + grammar[5u * node + 4u]; c++) {
    sum += dOut[d + c] * theta[words + grammar[5u * (dims.J + c) + 1u] * dims.D];
  }
  sum *= dims.scale;
  for (var h = 0u; node == 0u && h < dims.n - dims.slots; h++) {
    sum += dOut[d + dims.slots + h] * theta[s * dims.size + dims.valueAt + h * dims.D + j];
  }
  dN[s * dims.R * dims.J * dims.D + id] = sum;
}
