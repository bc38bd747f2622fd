// Adds the losses of one optimizer step to the sums of the update. One workgroup per replica, fixed tree.
//
// stats : [S, steps, 6] of coefficients     losses : [S, 2] = policy loss, value loss, summed over optimizer steps

struct Dims { steps : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       stats  : array<f32>;
@group(0) @binding(2) var<storage, read_write> losses : array<f32>;

var<workgroup> partial : array<vec2f, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  var sum = vec2f();
  for (var k = local; k < dims.steps; k += 64u) {
    let at = (s * dims.steps + k) * 6u;
    sum += vec2f(stats[at], stats[at + 1u]);
  }
  partial[local] = sum;
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (local < half) { partial[local] += partial[local + half]; }
    workgroupBarrier();
  }
  if (local == 0u) {
    losses[2u * s] += partial[0].x;
    losses[2u * s + 1u] += partial[0].y;
  }
}
