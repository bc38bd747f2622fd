// Squared length of the gradient of every single trajectory by the numbers of one dense layer, from what a backward pass
// left: G[f,j] = Σ_t x_t[f]·dY_t[j] of its own steps, for the bias with x = 1, and
//
//   y = Σ G² / w²        w the weight that dY was made with
//
// One workgroup per trajectory and piece of 1024 numbers (piece changes first), 16 of each invocation one after the
// other, then a fixed tree. G is never stored. What a layer reads is linked in front: see numbersOf.wgsl and bitsOf.wgsl.
// Trajectories without a weight get 0. Per number and step one fma and two reads, as the gradient of the batch has them.
//
// dY : [S, B·T, out]     plan : [S, B, 2] = weight, length     y : [S, B, columns], `at` the first column of the layer

struct Dims {
  B : u32, T : u32, inputs : u32, out : u32, hasBias : u32, columns : u32, at : u32,
  outerStride : u32, innerStride : u32,
}

@group(0) @binding(0) var<uniform>             dims : Dims;
@group(0) @binding(2) var<storage, read>       dY   : array<f32>;
@group(0) @binding(3) var<storage, read>       plan : array<f32>;
@group(0) @binding(4) var<storage, read_write> y    : array<f32>;

const PIECE = 1024u;

var<workgroup> sums : array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let count = (dims.inputs + dims.hasBias) * dims.out;
  let pieces = (count + PIECE - 1u) / PIECE;
  let id = group.x + group.y * 65535u;
  if (id >= pieces * dims.B) { return; }
  let row = group.z * dims.B + id / pieces;
  let piece = id % pieces;
  let w = plan[2u * row];
  let steps = select(u32(plan[2u * row + 1u]), 0u, w == 0.0);
  var sum = 0.0;
  for (var k = piece * PIECE + local; k < min(count, (piece + 1u) * PIECE); k += 64u) {
    let f = k / dims.out;
    var d = row * dims.T * dims.out + k % dims.out;
    var g = 0.0;
    for (var t = 0u; t < steps; t++) {
      if (f == dims.inputs) { g += dY[d]; } else { g = fma(input(row, t, f), dY[d], g); }
      d += dims.out;
    }
    sum = fma(g, g, sum);
  }
  sums[local] = sum;
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (local < half) { sums[local] += sums[local + half]; }
    workgroupBarrier();
  }
  if (local == 0u) { y[row * dims.columns + dims.at + piece] = select(sums[0] / (w * w), 0.0, w == 0.0); }
}
