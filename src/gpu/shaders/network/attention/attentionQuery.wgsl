// Backward pass of attention, the queries' side: with p = exp(score − log sum) and dS = p·(dO·v − dO·O),
// dq = Σ_k dS·k/√WIDTH. One invocation per (query, head), keys in order. dS is kept: a query has one key at every distance.
//
// rows, tokens, QKV, theta, soft : as in attention.wgsl     dO : [S, maxQueries, D]
// dQKV : [S, maxTokens, 3D], the first third of the queries is written     dS : [S, maxQueries, heads, distances]

struct Dims {
  stride : u32, maxTokens : u32, maxQueries : u32, J : u32, isAll : u32, heads : u32, size : u32, relAt : u32, distances : u32,
}

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       rows   : array<u32>;
@group(0) @binding(2) var<storage, read>       tokens : array<vec4u>;
@group(0) @binding(3) var<storage, read>       QKV    : array<f32>;
@group(0) @binding(4) var<storage, read>       theta  : array<f32>;
@group(0) @binding(5) var<storage, read>       soft   : array<vec2f>;
@group(0) @binding(6) var<storage, read>       dO     : array<f32>;
@group(0) @binding(7) var<storage, read_write> dQKV   : array<f32>;
@group(0) @binding(8) var<storage, read_write> dS     : array<f32>;

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
  let rel = s * dims.size + dims.relAt + head * dims.distances;
  let Q = (base + q) * 3u * D + head * WIDTH;
  let row = (s * dims.maxQueries + m) * dims.heads + head;
  let known = soft[row];
  var query = array<f32, WIDTH>();
  var g = array<f32, WIDTH>();
  for (var j = 0u; j < WIDTH; j++) {
    query[j] = QKV[Q + j] * scale;
    g[j] = dO[row * WIDTH + j];
  }
  var dq = array<f32, WIDTH>();
  for (var k = me.w; k <= q; k++) {
    let key = tokens[base + k];
    if (!isReadable(me, key)) { continue; }
    let K = (base + k) * 3u * D + D + head * WIDTH;
    let distance = orderOf(me) - orderOf(key);
    var score = theta[rel + distance];
    var dot = 0.0;
    for (var j = 0u; j < WIDTH; j++) {
      score += query[j] * QKV[K + j];
      dot += g[j] * QKV[K + D + j];
    }
    let d = exp(score - known.x) * (dot - known.y);
    dS[row * dims.distances + distance] = d;
    for (var j = 0u; j < WIDTH; j++) { dq[j] += d * QKV[K + j]; }
  }
  for (var j = 0u; j < WIDTH; j++) { dQKV[Q + j] = dq[j] * scale; }
}
