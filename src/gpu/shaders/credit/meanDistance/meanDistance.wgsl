// Mean of |x − y| over the real steps of a replica. One workgroup per replica: 64 partial sums over rows i = local,
// local + 64, …, then a fixed tree.
//
// x, y : [S, B, T]     length : [S, B]     record : [S, 16], word `at` is the mean; the others are left alone

struct Dims { B : u32, T : u32, at : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       x      : array<f32>;
@group(0) @binding(2) var<storage, read>       y      : array<f32>;
@group(0) @binding(3) var<storage, read>       length : array<u32>;
@group(0) @binding(4) var<storage, read_write> record : array<f32>;

var<workgroup> sums : array<vec2f, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  var sum = vec2f();
  for (var i = local; i < dims.B; i += 64u) {
    let row = s * dims.B + i;
    for (var t = 0u; t < length[row]; t++) {
      let k = row * dims.T + t;
      sum += vec2f(abs(x[k] - y[k]), 1.0);
    }
  }
  sums[local] = sum;
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (local < half) { sums[local] += sums[local + half]; }
    workgroupBarrier();
  }
  if (local == 0u) { record[16u * s + dims.at] = sums[0].x / sums[0].y; }
}
