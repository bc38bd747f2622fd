// Backward pass of windowAttention.wgsl over the same rows, the queries' side: with p = exp(score − log sum) and
// dS = p·(dO·v − dO·O), dq = Σ_u dS·k_u/√WIDTH. One invocation per (row, head), oldest step first. dS is kept by distance.
//
// QKV : [S, B·T, 3D]     soft : [S, B·T, heads, 2] with dO·O     dO : [S, B·T, D]
// dQKV, dTaught : [S, B·T, 3D], the first third is written     dS : [S, B·T, heads, MEMORY + SEGMENT]

struct Dims { rows : u32, B : u32, T : u32, heads : u32, size : u32, relAt : u32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       theta   : array<f32>;
@group(0) @binding(2) var<storage, read>       QKV     : array<f32>;
@group(0) @binding(3) var<storage, read>       soft    : array<vec2f>;
@group(0) @binding(4) var<storage, read>       dO      : array<f32>;
@group(0) @binding(5) var<storage, read_write> dQKV    : array<f32>;
@group(0) @binding(6) var<storage, read_write> dTaught : array<f32>;
@group(0) @binding(7) var<storage, read_write> dS      : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  let count = rowsOf(s);
  if (id >= count * dims.heads) { return; }
  let head = id / count;
  let r = id % count;
  let t = timeOf(s, r);
  let D = dims.heads * WIDTH;
  let scale = 1.0 / sqrt(f32(WIDTH));
  let row = s * dims.B * dims.T + r;
  let Q = row * 3u * D + head * WIDTH;
  let own = row * dims.heads + head;
  let known = soft[own];
  let rel = s * dims.size + dims.relAt + head * (MEMORY + SEGMENT);
  var query = array<f32, WIDTH>();
  var g = array<f32, WIDTH>();
  for (var j = 0u; j < WIDTH; j++) {
    query[j] = QKV[Q + j] * scale;
    g[j] = dO[own * WIDTH + j];
  }
  var dq = array<f32, WIDTH>();
  for (var u = firstOf(t); u <= t; u++) {
    let K = (row - t + u) * 3u * D + D + head * WIDTH;
    var score = theta[rel + t - u];
    var dot = 0.0;
    for (var j = 0u; j < WIDTH; j++) {
      score += query[j] * QKV[K + j];
      dot += g[j] * QKV[K + D + j];
    }
    let d = exp(score - known.x) * (dot - known.y);
    dS[own * (MEMORY + SEGMENT) + t - u] = d;
    for (var j = 0u; j < WIDTH; j++) { dq[j] += d * QKV[K + j]; }
  }
  for (var j = 0u; j < WIDTH; j++) {
    dQKV[Q + j] = dq[j] * scale;
    dTaught[Q + j] = dq[j] * scale;
  }
}
