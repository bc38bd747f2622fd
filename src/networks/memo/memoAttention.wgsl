// O = Σ_u softmax_u(q·k_u/√WIDTH + rel[head, distance]) v_u over what a token reads (memoReads.wgsl, linked in front), with a
// running maximum and sum. One invocation per (token, head). Keys and values of the block are kept for later ones, but for those
// of the own summary. Arrays of a block have rows by place: everyTrajectory.wgsl or listedTrajectories.wgsl, linked in front too.
// With `isLast` the block is the step after the last one of each trajectory, and nothing is kept.
//
// length : [S, B], read with `isLast`     QKV : [S, B, tokens, 3D]     theta : [S, size]     kept : [S, B, T, 4D]
// O : [S, B, tokens, D]     soft : [S, B, tokens, heads, 2] = log of the sum of exp, 0

@group(0) @binding(1) var<storage, read>       length : array<u32>;
@group(0) @binding(2) var<storage, read>       QKV    : array<f32>;
@group(0) @binding(3) var<storage, read>       theta  : array<f32>;
@group(0) @binding(4) var<storage, read_write> kept   : array<f32>;
@group(0) @binding(5) var<storage, read_write> O      : array<f32>;
@group(0) @binding(6) var<storage, read_write> soft   : array<vec2f>;

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
  let row = block + i;
  var t = dims.t;
  if (dims.isLast == 1u) { t = length[trajectory]; }
  let reads = readsAt(t);
  if (i < reads.begin) {
    for (var j = 0u; j < WIDTH; j++) { O[row * D + head * WIDTH + j] = 0.0; }
    return;
  }
  let known = reads.summaries + reads.steps;
  let n = known + i - reads.begin + 1u;
  let rel = s * dims.size + dims.relAt + head * dims.distances;
  let scale = 1.0 / sqrt(f32(WIDTH));
  let Q = row * 3u * D + head * WIDTH;
  var query = array<f32, WIDTH>();
  for (var j = 0u; j < WIDTH; j++) { query[j] = QKV[Q + j] * scale; }
  var value = array<f32, WIDTH>();
  var o = array<f32, WIDTH>();
  var top = -3.0e38;
  var total = 0.0;
  for (var u = 0u; u < n; u++) {
    var score = theta[rel + n - 1u - u];
    if (u < known) {
      let K = keptAt(trajectory, reads, u) + head * WIDTH;
      for (var j = 0u; j < WIDTH; j++) {
        score += query[j] * kept[K + j];
        value[j] = kept[K + D + j];
      }
    } else {
      let K = (block + reads.begin + u - known) * 3u * D + D + head * WIDTH;
      for (var j = 0u; j < WIDTH; j++) {
        score += query[j] * QKV[K + j];
        value[j] = QKV[K + D + j];
      }
    }
    var p = 1.0;
    if (score > top) {
      let less = exp(top - score);
      total *= less;
      for (var j = 0u; j < WIDTH; j++) { o[j] *= less; }
      top = score;
    } else { p = exp(score - top); }
    total += p;
    for (var j = 0u; j < WIDTH; j++) { o[j] += p * value[j]; }
  }
  for (var j = 0u; j < WIDTH; j++) { O[row * D + head * WIDTH + j] = o[j] / total; }
  soft[row * dims.heads + head] = vec2f(top + log(total), 0.0);
  if (dims.isLast == 1u || i >= dims.prefix + dims.steps) { return; }
  var to = (trajectory * dims.T + t + i - dims.prefix) * 4u * D;
  if (i < dims.prefix) { to = (trajectory * dims.T + t - dims.segment + i) * 4u * D + 2u * D; }
  for (var j = 0u; j < WIDTH; j++) {
    kept[to + head * WIDTH + j] = QKV[Q + D + j];
    kept[to + D + head * WIDTH + j] = QKV[Q + 2u * D + j];
  }
}
