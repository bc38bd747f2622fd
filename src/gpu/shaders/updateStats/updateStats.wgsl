// Ratios of the steps of the batch after the update: effective sample size (max-shifted), KL, largest ratio,
// KL to the reference. One workgroup per replica, fixed tree.
//
// stats : [S, B·T, 6] of coefficients with the new weights     plan : [S, B, 2], the second number is the length
// record : [S, 8] = ESS share, sum of ρ − 1 − log ρ, largest ρ, sum of KL to reference

struct Dims { B : u32, T : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       stats  : array<f32>;
@group(0) @binding(2) var<storage, read>       plan   : array<f32>;
@group(0) @binding(3) var<storage, read_write> record : array<f32>;

var<workgroup> a : array<vec4f, 64>;
var<workgroup> b : array<vec2f, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  var top = -3.0e38;
  for (var i = local; i < dims.B; i += 64u) {
    let row = s * dims.B + i;
    for (var t = 0u; t < u32(plan[2u * row + 1u]); t++) { top = max(top, stats[(row * dims.T + t) * 6u + 4u]); }
  }
  a[local] = vec4f(top);
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (local < half) { a[local] = max(a[local], a[local + half]); }
    workgroupBarrier();
  }
  top = a[0].x;
  workgroupBarrier();
  // sums of e, e² and 1; then k3, KL to the reference
  var e = vec4f();
  var rest = vec2f();
  for (var i = local; i < dims.B; i += 64u) {
    let row = s * dims.B + i;
    for (var t = 0u; t < u32(plan[2u * row + 1u]); t++) {
      let at = (row * dims.T + t) * 6u;
      let delta = stats[at + 4u];
      let y = exp(delta - top);
      e += vec4f(y, y * y, 1.0, 0.0);
      let held = clamp(delta, -20.0, 20.0);
      // e^Δ − 1 − Δ cancels for small Δ: use its series there
      var k3 = exp(held) - 1.0 - held;
      if (abs(held) < 0.01) { k3 = held * held * (0.5 + held * (0.16666667 + held * 0.041666667)); }
      rest += vec2f(k3, stats[at + 2u]);
    }
  }
  a[local] = e;
  b[local] = rest;
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (local < half) {
      a[local] += a[local + half];
      b[local] += b[local + half];
    }
    workgroupBarrier();
  }
  if (local == 0u) {
    let at = s * 8u;
    record[at] = a[0].x * a[0].x / (a[0].y * a[0].z);
    record[at + 1u] = b[0].x;
    record[at + 2u] = exp(clamp(top, -20.0, 20.0));
    record[at + 3u] = b[0].y;
  }
}
