// RMS of the credit over real steps; with `matched` the credit is divided by it ("match update size").
// Raises flag 3 (advantage) when a credit is not finite. One workgroup per replica, fixed tree.
//
// credit : [2][S, B, T], the first part is A     rms : [S]     flags : [S]

struct Dims { B : u32, T : u32, matched : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       length : array<u32>;
@group(0) @binding(2) var<storage, read_write> credit : array<f32>;
@group(0) @binding(3) var<storage, read_write> rms    : array<f32>;
@group(0) @binding(4) var<storage, read_write> flags  : array<atomic<u32>>;

var<workgroup> sums   : array<f32, 64>;
var<workgroup> counts : array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  var sum = 0.0;
  var count = 0.0;
  for (var i = local; i < dims.B; i += 64u) {
    let row = s * dims.B + i;
    for (var t = 0u; t < length[row]; t++) {
      let A = credit[row * dims.T + t];
      sum += A * A;
    }
    count += f32(length[row]);
  }
  sums[local] = sum;
  counts[local] = count;
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (local < half) {
      sums[local] += sums[local + half];
      counts[local] += counts[local + half];
    }
    workgroupBarrier();
  }
  let size = sqrt(sums[0] / counts[0]);
  if (local == 0u) {
    if ((bitcast<u32>(sums[0]) & 0x7f800000u) == 0x7f800000u) { atomicCompareExchangeWeak(&flags[s], 0u, 3u); }
    rms[s] = select(size, select(0.0, 1.0, size > 0.0), dims.matched == 1u);
  }
  if (dims.matched == 1u && size > 0.0) {
    for (var i = local; i < dims.B; i += 64u) {
      let row = s * dims.B + i;
      for (var t = 0u; t < length[row]; t++) { credit[row * dims.T + t] /= size; }
    }
  }
}
