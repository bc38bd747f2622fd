// Backward pass of attention, the keys' side: dk = Σ_q dS·q/√WIDTH and dv = Σ_q p·dO over the later queries of the row
// that read this token. One invocation per (token, head), queries in order. A token that is no query gets dq = 0 here.
//
// rows, tokens, QKV, theta, soft, dO : as in attentionQuery.wgsl     dQKV : [S, maxTokens, 3D]

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

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  let head = id / dims.maxTokens;
  let k = id % dims.maxTokens;
  if (head >= dims.heads || k >= rows[s * dims.stride + 1u]) { return; }
  let D = dims.heads * WIDTH;
  let scale = 1.0 / sqrt(f32(WIDTH));
  let base = s * dims.maxTokens;
  let me = tokens[base + k];
  let end = rows[s * dims.stride + 4u + rowOf(me)];
  let prefixes = end - dims.J;
  let rel = s * dims.size + dims.relAt + head * dims.distances;
  let K = (base + k) * 3u * D + D + head * WIDTH;
  var key = array<f32, WIDTH>();
  var value = array<f32, WIDTH>();
  for (var j = 0u; j < WIDTH; j++) {
    key[j] = QKV[K + j] * scale;
    value[j] = QKV[K + D + j];
  }
  var dk = array<f32, WIDTH>();
  var dv = array<f32, WIDTH>();
  for (var q = select(max(k, prefixes), k, dims.isAll == 1u); q < end; q++) {
    let query = tokens[base + q];
    if (!isReadable(query, me)) { continue; }
    let m = select(rowOf(me) * dims.J + q - prefixes, q, dims.isAll == 1u);
    let row = (s * dims.maxQueries + m) * dims.heads + head;
    let Q = (base + q) * 3u * D + head * WIDTH;
    var score = theta[rel + orderOf(query) - orderOf(me)];
    var dot = 0.0;
    for (var j = 0u; j < WIDTH; j++) {
      score += key[j] * QKV[Q + j];
      dot += dO[row * WIDTH + j] * value[j];
    }
    let known = soft[row];
    let p = exp(score - known.x);
    let d = p * (dot - known.y);
    for (var j = 0u; j < WIDTH; j++) {
      dk[j] += d * QKV[Q + j];
      dv[j] += p * dO[row * WIDTH + j];
    }
  }
  let isQuery = dims.isAll == 1u || k >= prefixes;
  for (var j = 0u; j < WIDTH; j++) {
    if (!isQuery) { dQKV[K - D + j] = 0.0; }
    dQKV[K + j] = dk[j] * scale;
    dQKV[K + D + j] = dv[j];
  }
}
