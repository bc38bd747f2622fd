// Logits of every slot of the grammar and the values: scale · N[prefix]·words[token] + bias[token], and at the empty
// prefix N·value + bias. One invocation per (row, output); replicas in z.
//
// rows : [S, stride], the first word counts rows     N : [S, R·J, D]     theta : [S, size]     out : [S, R, n], value last
// grammar : per prefix token, depth, ancestors, first slot, slots; then per slot node, token, actions, next, action

struct Dims {
  stride : u32, R : u32, J : u32, slots : u32, n : u32, D : u32, size : u32, wordsAt : u32, biasAt : u32, valueAt : u32,
  valueBiasAt : u32, scale : f32,
}

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       rows    : array<u32>;
@group(0) @binding(2) var<storage, read>       N       : array<f32>;
@group(0) @binding(3) var<storage, read>       theta   : array<f32>;
@group(0) @binding(4) var<storage, read>       grammar : array<u32>;
@group(0) @binding(5) var<storage, read_write> out     : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  let r = id / dims.n;
  if (r >= rows[s * dims.stride]) { return; }
  let c = id % dims.n;
  var node = 0u;
  var w = s * dims.size + dims.valueAt;
  var bias = s * dims.size + dims.valueBiasAt;
  var scale = 1.0;
  if (c >= dims.slots) {
    w += (c - dims.slots) * dims.D;
    bias += c - dims.slots;
  } else {
    let slot = 5u * (dims.J + c);
    node = grammar[slot];
    w = s * dims.size + dims.wordsAt + grammar[slot + 1u] * dims.D;
    bias = s * dims.size + dims.biasAt + grammar[slot + 1u];
    scale = dims.scale;
  }
  let x = ((s * dims.R + r) * dims.J + node) * dims.D;
  var dot = 0.0;
  for (var j = 0u; j < dims.D; j++) { dot += N[x + j] * theta[w + j]; }
  out[s * dims.R * dims.n + id] = scale * dot + theta[bias];
}
