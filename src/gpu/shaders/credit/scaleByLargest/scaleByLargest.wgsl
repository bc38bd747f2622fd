// y = x divided by the largest |x| over the real steps of the replica; all 0 where that is at most `floor_` (rounding).
// Padding 0. One workgroup per replica; a maximum does not depend on the order.
//
// x, y : [S, B, T]

struct Dims { B : u32, T : u32, floor_ : f32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       x      : array<f32>;
@group(0) @binding(2) var<storage, read>       length : array<u32>;
@group(0) @binding(3) var<storage, read_write> y      : array<f32>;

var<workgroup> tops : array<f32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let first = group.z * dims.B;
  var top = 0.0;
  for (var i = local; i < dims.B; i += 256u) {
    for (var t = 0u; t < length[first + i]; t++) { top = max(top, abs(x[(first + i) * dims.T + t])); }
  }
  tops[local] = top;
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (local < half) { tops[local] = max(tops[local], tops[local + half]); }
    workgroupBarrier();
  }
  let largest = tops[0];
  for (var i = local; i < dims.B; i += 256u) {
    for (var t = 0u; t < dims.T; t++) {
      let k = (first + i) * dims.T + t;
      y[k] = 0.0;
      if (t < length[first + i] && largest > dims.floor_) { y[k] = x[k] / largest; }
    }
  }
}
