// Backward pass of memoAttention.wgsl, the keys' side, of blocks that are whole segments: dk = Σ dS·q/√WIDTH and dv = Σ p·dO over
// the tokens of the block that read a key. One invocation per (key, head): of summaries of earlier segments, and of the block.
// What is due to a summary adds up in dKept, segment by segment from the last one, and goes on in the block that begins with it.
//
// QKV, theta, kept, soft, dO : as in memoQuery.wgsl     dKept : [S, B, segments − 1, summary, 2D], of segment 1 first
// dQKV : [S, B, tokens, 3D], the other two thirds are written

@group(0) @binding(1) var<storage, read>       QKV   : array<f32>;
@group(0) @binding(2) var<storage, read>       theta : array<f32>;
@group(0) @binding(3) var<storage, read>       kept  : array<f32>;
@group(0) @binding(4) var<storage, read>       soft  : array<vec2f>;
@group(0) @binding(5) var<storage, read>       dO    : array<f32>;
@group(0) @binding(6) var<storage, read_write> dKept : array<f32>;
@group(0) @binding(7) var<storage, read_write> dQKV  : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  let reads = readsAt(dims.t);
  let keys = reads.summaries + dims.tokens;
  let count = placesOf(s) * keys;
  if (id >= count * dims.heads) { return; }
  let m = id % count;
  let head = id / count;
  let u = m % keys;
  let trajectory = s * dims.B + trajectoryAt(s, m / keys);
  let block = (s * dims.B + m / keys) * dims.tokens;
  let D = dims.heads * WIDTH;
  let rel = s * dims.size + dims.relAt + head * dims.distances;
  let scale = 1.0 / sqrt(f32(WIDTH));
  let isKept = u < reads.summaries;
  let own = select(u - reads.summaries, 0u, isKept);
  let K = (block + own) * 3u * D + D + head * WIDTH;
  var key = array<f32, WIDTH>();
  var value = array<f32, WIDTH>();
  if (isKept) {
    let at = keptAt(trajectory, reads, u) + head * WIDTH;
    for (var j = 0u; j < WIDTH; j++) {
      key[j] = kept[at + j] * scale;
      value[j] = kept[at + D + j];
    }
  } else {
    for (var j = 0u; j < WIDTH; j++) {
      key[j] = QKV[K + j] * scale;
      value[j] = QKV[K + D + j];
    }
  }
  var dk = array<f32, WIDTH>();
  var dv = array<f32, WIDTH>();
  for (var i = own; i < dims.tokens; i++) {
    let row = (block + i) * dims.heads + head;
    let Q = (block + i) * 3u * D + head * WIDTH;
    var score = theta[rel + reads.summaries + i - u];
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
  // token j of the summary that the block begins with, and of those before it
  let segment = select(dims.t, reads.entry + dims.segment + u / dims.summary * dims.segment, isKept) / dims.segment;
  let token = select(own, u % dims.summary, isKept);
  let segments = (dims.T - 1u) / dims.segment;
  let to = (((trajectory * segments + segment - 1u) * dims.summary + token) * 2u) * D + head * WIDTH;
  if (isKept) {
    for (var j = 0u; j < WIDTH; j++) {
      dKept[to + j] += dk[j] * scale;
      dKept[to + D + j] += dv[j];
    }
    return;
  }
  let isPrefix = own < dims.prefix;
  for (var j = 0u; j < WIDTH; j++) {
    dQKV[K + j] = dk[j] * scale;
    dQKV[K + D + j] = dv[j];
    if (isPrefix) {
      dQKV[K + j] += dKept[to + j];
      dQKV[K + D + j] += dKept[to + D + j];
    }
  }
}
