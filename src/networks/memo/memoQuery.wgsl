// Backward pass of memoAttention.wgsl, the queries' side, of blocks that are whole segments: with p = exp(score − log sum) and
// dS = p·(dO·v − dO·O), dq = Σ_u dS·k/√WIDTH. One invocation per (token, head). dS is 0 at distances that a token does not have.
//
// QKV, theta, kept, soft : as in memoAttention.wgsl, soft with dO·O     dO : [S, B, tokens, D]
// dQKV : [S, B, tokens, 3D], the first third is written     dS : [S, B, tokens, heads, distances]

@group(0) @binding(1) var<storage, read>       QKV   : array<f32>;
@group(0) @binding(2) var<storage, read>       theta : array<f32>;
@group(0) @binding(3) var<storage, read>       kept  : array<f32>;
@group(0) @binding(4) var<storage, read>       soft  : array<vec2f>;
@group(0) @binding(5) var<storage, read>       dO    : array<f32>;
@group(0) @binding(6) var<storage, read_write> dQKV  : array<f32>;
@group(0) @binding(7) var<storage, read_write> dS    : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  let tokens = placesOf(s) * dims.tokens;
  if (id >= tokens * dims.heads) { return; }
  let m = id % tokens;
  let head = id / tokens;
  let i = m % dims.tokens;
  let trajectory = s * dims.B + trajectoryAt(s, m / dims.tokens);
  let block = (s * dims.B + m / dims.tokens) * dims.tokens;
  let D = dims.heads * WIDTH;
  let row = (block + i) * dims.heads + head;
  let reads = readsAt(dims.t);
  let n = reads.summaries + i + 1u;
  let rel = s * dims.size + dims.relAt + head * dims.distances;
  let scale = 1.0 / sqrt(f32(WIDTH));
  let Q = (block + i) * 3u * D + head * WIDTH;
  let known = soft[row];
  var query = array<f32, WIDTH>();
  var g = array<f32, WIDTH>();
  for (var j = 0u; j < WIDTH; j++) {
    query[j] = QKV[Q + j] * scale;
    g[j] = dO[row * WIDTH + j];
  }
  var key = array<f32, WIDTH>();
  var dq = array<f32, WIDTH>();
  for (var u = 0u; u < n; u++) {
    let distance = n - 1u - u;
    var score = theta[rel + distance];
    var dot = 0.0;
    if (u < reads.summaries) {
      let K = keptAt(trajectory, reads, u) + head * WIDTH;
      for (var j = 0u; j < WIDTH; j++) {
        key[j] = kept[K + j];
        dot += g[j] * kept[K + D + j];
      }
    } else {
      let K = (block + u - reads.summaries) * 3u * D + D + head * WIDTH;
      for (var j = 0u; j < WIDTH; j++) {
        key[j] = QKV[K + j];
        dot += g[j] * QKV[K + D + j];
      }
    }
    for (var j = 0u; j < WIDTH; j++) { score += query[j] * key[j]; }
    let d = exp(score - known.x) * (dot - known.y);
    dS[row * dims.distances + distance] = d;
    for (var j = 0u; j < WIDTH; j++) { dq[j] += d * key[j]; }
  }
  for (var u = n; u < dims.distances; u++) { dS[row * dims.distances + u] = 0.0; }
  for (var j = 0u; j < WIDTH; j++) { dQKV[Q + j] = dq[j] * scale; }
}
