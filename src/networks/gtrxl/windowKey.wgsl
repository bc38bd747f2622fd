// Backward pass of windowAttention.wgsl over the same rows, the keys' side: dk = Σ_t dS·q_t/√WIDTH and dv = Σ_t p·dO_t over the
// steps that read this one, in order. dQKV sums up the steps of its segment; dTaught also those of later segments, to which
// it is a memory. One invocation per (row, head).
//
// theta, QKV, soft, dO : as in windowQuery.wgsl     dQKV, dTaught : [S, B·T, 3D], the last two thirds are written

struct Dims { rows : u32, B : u32, T : u32, heads : u32, size : u32, relAt : u32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       theta   : array<f32>;
@group(0) @binding(2) var<storage, read>       QKV     : array<f32>;
@group(0) @binding(3) var<storage, read>       soft    : array<vec2f>;
@group(0) @binding(4) var<storage, read>       dO      : array<f32>;
@group(0) @binding(5) var<storage, read_write> dQKV    : array<f32>;
@group(0) @binding(6) var<storage, read_write> dTaught : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  let count = rowsOf(s);
  if (id >= count * dims.heads) { return; }
  let head = id / count;
  let r = id % count;
  let u = timeOf(s, r);
  let D = dims.heads * WIDTH;
  let scale = 1.0 / sqrt(f32(WIDTH));
  let row = s * dims.B * dims.T + r;
  let K = row * 3u * D + D + head * WIDTH;
  let rel = s * dims.size + dims.relAt + head * (MEMORY + SEGMENT);
  var key = array<f32, WIDTH>();
  var value = array<f32, WIDTH>();
  for (var j = 0u; j < WIDTH; j++) {
    key[j] = QKV[K + j] * scale;
    value[j] = QKV[K + D + j];
  }
  var dk = array<f32, WIDTH>();
  var dv = array<f32, WIDTH>();
  let steps = endOf(s, r);
  let end = min(lastOf(u) + 1u, steps);
  let own = min(lastOwn(u) + 1u, steps);
  for (var t = u; t < end; t++) {
    if (t == own) {
      for (var j = 0u; j < WIDTH; j++) {
        dQKV[K + j] = dk[j] * scale;
        dQKV[K + D + j] = dv[j];
      }
    }
    let query = row - u + t;
    let at = query * dims.heads + head;
    let Q = query * 3u * D + head * WIDTH;
    var score = theta[rel + t - u];
    var dot = 0.0;
    for (var j = 0u; j < WIDTH; j++) {
      score += key[j] * QKV[Q + j];
      dot += dO[at * WIDTH + j] * value[j];
    }
    let known = soft[at];
    let p = exp(score - known.x);
    let d = p * (dot - known.y);
    for (var j = 0u; j < WIDTH; j++) {
      dk[j] += d * QKV[Q + j];
      dv[j] += p * dO[at * WIDTH + j];
    }
  }
  for (var j = 0u; j < WIDTH; j++) {
    if (end == own) {
      dQKV[K + j] = dk[j] * scale;
      dQKV[K + D + j] = dv[j];
    }
    dTaught[K + j] = dk[j] * scale;
    dTaught[K + D + j] = dv[j];
  }
}
