// O = Σ_u softmax_u(q·k_u/√WIDTH + rel[head, t − u]) v_u over the steps that step t reads, heads side by side. One invocation
// per (row, head) with a running maximum and sum: the step itself, then those before it, oldest first. WIDTH, the width of a
// head, window.wgsl, where queries, keys and values are (everyStep.wgsl, oneStep.wgsl), and which rows there are (allRows.wgsl,
// listedRows.wgsl) are linked in front.
//
// With `one` 1 rows are step t of every episode, with `one` 2 the step behind the last one of
// each, which nobody keeps.
//
// theta : [S, size]     length : [S, B]     O : [S, B·T, D]     soft : [S, B·T, heads, 2] = log of the sum of exp, 0

struct Dims {
  rows : u32, B : u32, T : u32, t : u32, one : u32, heads : u32, size : u32, relAt : u32,
}

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       theta  : array<f32>;
@group(0) @binding(2) var<storage, read>       length : array<u32>;
@group(0) @binding(3) var<storage, read_write> O      : array<f32>;
@group(0) @binding(4) var<storage, read_write> soft   : array<vec2f>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  let count = rowsOf(s);
  if (id >= count * dims.heads) { return; }
  let head = id / count;
  let r = id % count;
  let first = s * dims.B * dims.T;
  let row = first + r;
  var t = dims.t;
  if (dims.one == 0u) { t = timeOf(s, r); }
  else if (dims.one == 2u) { t = length[s * dims.B + r]; }
  let D = dims.heads * WIDTH;
  let scale = 1.0 / sqrt(f32(WIDTH));
  let Q = row * 3u * D + head * WIDTH;
  // the first step of its episode
  let base = select(first + r * dims.T, row - t, dims.one == 0u);
  let rel = s * dims.size + dims.relAt + head * (MEMORY + SEGMENT) + t;
  var query = array<f32, WIDTH>();
  var o = array<f32, WIDTH>();
  var top = theta[rel - t];
  for (var j = 0u; j < WIDTH; j++) {
    query[j] = asked[Q + j] * scale;
    o[j] = asked[Q + 2u * D + j];
    top += query[j] * asked[Q + D + j];
  }
  if (dims.one == 1u) {
    let to = (base + t) * 3u * D + head * WIDTH;
    for (var j = 0u; j < WIDTH; j++) {
      keep(to + D + j, asked[Q + D + j]);
      keep(to + 2u * D + j, o[j]);
    }
  }
  var total = 1.0;
  for (var u = firstOf(t); u < t; u++) {
    let K = (base + u) * 3u * D + D + head * WIDTH;
    var score = theta[rel - u];
    for (var j = 0u; j < WIDTH; j++) { score += query[j] * kept[K + j]; }
    var p = 1.0;
    if (score > top) {
      let less = exp(top - score);
      total *= less;
      for (var j = 0u; j < WIDTH; j++) { o[j] *= less; }
      top = score;
    } else { p = exp(score - top); }
    total += p;
    for (var j = 0u; j < WIDTH; j++) { o[j] += p * kept[K + D + j]; }
  }
  for (var j = 0u; j < WIDTH; j++) { O[row * D + head * WIDTH + j] = o[j] / total; }
  soft[row * dims.heads + head] = vec2f(top + log(total), 0.0);
}
