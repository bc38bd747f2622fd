// O[m] = Σ_k softmax_k(q·k/√WIDTH + rel[head, distance]) v_k over the tokens of the row that token q may read. One
// invocation per (query, head) with a running maximum and sum: no scores are stored. Queries are all tokens, or only the
// prefixes of every row (its last J tokens). WIDTH, the width of a head, is linked in front.
//
// rows : [S, 4 + 2R] = rows, tokens, queries, 0, end of each row, …     tokens : [S, maxTokens, 4]
// QKV : [S, maxTokens, 3D]     theta : [S, size]     O : [S, maxQueries, D], heads side by side
// soft : [S, maxQueries, heads, 2] = log of the sum of exp, 0

struct Dims {
  stride : u32, maxTokens : u32, maxQueries : u32, J : u32, isAll : u32, heads : u32, size : u32, relAt : u32, distances : u32,
}

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       rows   : array<u32>;
@group(0) @binding(2) var<storage, read>       tokens : array<vec4u>;
@group(0) @binding(3) var<storage, read>       QKV    : array<f32>;
@group(0) @binding(4) var<storage, read>       theta  : array<f32>;
@group(0) @binding(5) var<storage, read_write> O      : array<f32>;
@group(0) @binding(6) var<storage, read_write> soft   : array<vec2f>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  let head = id / dims.maxQueries;
  let m = id % dims.maxQueries;
  if (head >= dims.heads || m >= rows[s * dims.stride + select(2u, 1u, dims.isAll == 1u)]) { return; }
  var q = m;
  if (dims.isAll == 0u) { q = rows[s * dims.stride + 4u + m / dims.J] - dims.J + m % dims.J; }
  let D = dims.heads * WIDTH;
  let scale = 1.0 / sqrt(f32(WIDTH));
  let base = s * dims.maxTokens;
  let me = tokens[base + q];
  let rel = s * dims.size + dims.relAt + head * dims.distances + orderOf(me);
  let Q = (base + q) * 3u * D + head * WIDTH;
  var query = array<f32, WIDTH>();
  for (var j = 0u; j < WIDTH; j++) { query[j] = QKV[Q + j] * scale; }
  var o = array<f32, WIDTH>();
  var top = -3.0e38;
  var total = 0.0;
  for (var k = me.w; k <= q; k++) {
    let key = tokens[base + k];
    if (!isReadable(me, key)) { continue; }
    let K = (base + k) * 3u * D + D + head * WIDTH;
    var score = theta[rel - orderOf(key)];
    for (var j = 0u; j < WIDTH; j++) { score += query[j] * QKV[K + j]; }
    var p = 1.0;
    if (score > top) {
      let less = exp(top - score);
      total *= less;
      for (var j = 0u; j < WIDTH; j++) { o[j] *= less; }
      top = score;
    } else { p = exp(score - top); }
    total += p;
    for (var j = 0u; j < WIDTH; j++) { o[j] += p * QKV[K + D + j]; }
  }
  let row = s * dims.maxQueries + m;
  for (var j = 0u; j < WIDTH; j++) { O[row * D + head * WIDTH + j] = o[j] / total; }
  soft[row * dims.heads + head] = vec2f(top + log(total), 0.0);
}
