// Sequences of a chunk of steps, packed one after the other without padding: the last `history` commands, the
// observation, all prefixes of the grammar. <pad> (0) is skipped, its place stays. One workgroup per replica, one
// invocation per row: it counts its tokens, adds up what lies before it, and writes. The chunk is the next R steps of the
// list that are not done, so that the same dispatch serves every chunk.
//
// list : [S, 2 + B·T] = how many, how many are done, then i·T + t     obs : [S, B, T+1, obsWords], four tokens a word
// commands : [S, B, T], one token a byte     grammar : per prefix token, depth, ancestors, first slot, slots
// tokens : [S, M, 4] (see token.wgsl)     rows : [S, 4 + 2R] = rows, tokens, queries, 0, the end of each row, its step
// behind 1: not what was seen before the step, but the last state (slot T of obs) and the command written in the step

struct Dims {
  B : u32, T : u32, R : u32, M : u32, J : u32, history : u32, words : u32, observation : u32, obsWords : u32,
  behind : u32,
}

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read_write> list     : array<u32>;
@group(0) @binding(2) var<storage, read>       obs      : array<u32>;
@group(0) @binding(3) var<storage, read>       commands : array<u32>;
@group(0) @binding(4) var<storage, read>       grammar  : array<u32>;
@group(0) @binding(5) var<storage, read_write> tokens   : array<vec4u>;
@group(0) @binding(6) var<storage, read_write> rows     : array<u32>;

var<workgroup> counts : array<u32, 256>;

fn byteOf(word : u32, k : u32) -> u32 { return (word >> (8u * (k & 3u))) & 255u; }

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) r : u32) {
  let s = group.z;
  let start = s * (2u + dims.B * dims.T);
  let done = list[start + 1u];
  let live = min(dims.R, max(list[start], done) - done);
  var step = 0u;
  var past = 0u;
  var seen = 0u;
  var told = 0u;
  var count = 0u;
  if (r < live) {
    step = list[start + 2u + done + r];
    let i = s * dims.B + step / dims.T;
    let t = step % dims.T;
    told = i * dims.T + t + dims.behind;
    past = min(dims.history, t + dims.behind);
    seen = (i * (dims.T + 1u) + select(t, dims.T, dims.behind == 1u)) * dims.obsWords;
    count = dims.J;
    for (var age = past; age >= 1u; age--) {
      for (var k = 0u; k < dims.words; k++) { count += min(byteOf(commands[told - age], k), 1u); }
    }
    for (var k = 0u; k < dims.observation; k++) { count += min(byteOf(obs[seen + k / 4u], k), 1u); }
  }
  counts[r] = count;
  storageBarrier();
  workgroupBarrier();
  var first = 0u;
  for (var k = 0u; k < r; k++) { first += counts[k]; }
  let out = s * (4u + 2u * dims.R);
  if (r == 255u) {
    list[start + 1u] = done + live;
    rows[out] = live;
    rows[out + 1u] = first + count;
    rows[out + 2u] = live * dims.J;
    rows[out + 3u] = 0u;
  }
  if (r >= live) { return; }
  rows[out + 4u + r] = first + count;
  rows[out + 4u + dims.R + r] = step;
  let base = s * dims.M + first;
  var order = 0u;
  for (var age = past; age >= 1u; age--) {
    for (var k = 0u; k < dims.words; k++) {
      let token = byteOf(commands[told - age], k);
      if (token == 0u) { continue; }
      let place = (dims.history - age) * dims.words + k;
      tokens[base + order] = vec4u(token | (r << 16u), place | (order << 16u), 0u, first);
      order++;
    }
  }
  let seenPlace = dims.history * dims.words;
  for (var k = 0u; k < dims.observation; k++) {
    let token = byteOf(obs[seen + k / 4u], k);
    if (token == 0u) { continue; }
    tokens[base + order] = vec4u(token | (r << 16u), (seenPlace + k) | (order << 16u), 0u, first);
    order++;
  }
  for (var j = 0u; j < dims.J; j++) {
    let depth = grammar[5u * j + 1u];
    let place = seenPlace + dims.observation + depth;
    let word = grammar[5u * j] | ((j + 1u) << 8u) | (r << 16u);
    tokens[base + order + j] = vec4u(word, place | ((order + depth) << 16u), grammar[5u * j + 2u], first);
  }
}
