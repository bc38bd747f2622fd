// How far the weights of a replica went since the last call, and how its gradient lies to the one before. Both are then
// kept for the next call. One workgroup per replica, 256 partial sums of four numbers at a time, and a fixed tree; size is a
// multiple of 4, as layouts have it.
//
// theta, gradient : [S, size/4]     last, lastGradient : [S, size/4], brought up to theta and gradient
// record : [S, 16] = Σ(θ − last)², Σθ², Σ g·g_last, Σg², Σg_last²; the others are left alone

struct Dims { size : u32 }

@group(0) @binding(0) var<uniform>             dims         : Dims;
@group(0) @binding(1) var<storage, read>       theta        : array<vec4f>;
@group(0) @binding(2) var<storage, read>       gradient     : array<vec4f>;
@group(0) @binding(3) var<storage, read_write> last         : array<vec4f>;
@group(0) @binding(4) var<storage, read_write> lastGradient : array<vec4f>;
@group(0) @binding(5) var<storage, read_write> record       : array<f32>;

var<workgroup> a : array<vec4f, 256>;
var<workgroup> b : array<f32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  let size4 = dims.size / 4u;
  var sums = vec4f();
  var before = 0.0;
  for (var k = local; k < size4; k += 256u) {
    let at = s * size4 + k;
    let x = theta[at];
    let moved = x - last[at];
    let g = gradient[at];
    let old = lastGradient[at];
    sums += vec4f(dot(moved, moved), dot(x, x), dot(g, old), dot(g, g));
    before += dot(old, old);
    last[at] = x;
    lastGradient[at] = g;
  }
  a[local] = sums;
  b[local] = before;
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (local < half) {
      a[local] += a[local + half];
      b[local] += b[local + half];
    }
    workgroupBarrier();
  }
  if (local == 0u) {
    for (var k = 0u; k < 4u; k++) { record[s * 16u + k] = a[0][k]; }
    record[s * 16u + 4u] = b[0];
  }
}
