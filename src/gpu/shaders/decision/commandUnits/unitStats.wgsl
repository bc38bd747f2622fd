// Ratios of the batch after the update where a step may hold several units: effective sample size of the steps
// (max-shifted, Δ of a step is the sum over its units), and sums over units. Trajectories of length 0 do not count. One
// workgroup per replica, fixed tree.
//
// stats : [S, B·T, 6] of coefficients.wgsl behind rows.wgsl, then at `unitsAt` [S, B·T, 8], first Σ(ρ − 1 − log ρ), largest ρ of its units
// plan : [S, B, 2], the second number is the length     decisions : [S, B] of commandUnits
// record : [S, 8] = ESS share of the steps, Σ(ρ − 1 − log ρ), largest ρ, Σ KL to the reference, units, decisions

struct Dims { B : u32, T : u32, unitsAt : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       stats  : array<f32>;
@group(0) @binding(2) var<storage, read>       plan   : array<f32>;
@group(0) @binding(3) var<storage, read_write> record : array<f32>;
@group(0) @binding(4) var<storage, read>       decisions : array<u32>;

var<workgroup> a : array<vec4f, 64>;
var<workgroup> b : array<vec3f, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  // largest Δ of steps, largest ρ of units
  var top = vec4f(-3.0e38, 0.0, 0.0, 0.0);
  for (var i = local; i < dims.B; i += 64u) {
    let row = s * dims.B + i;
    for (var t = 0u; t < u32(plan[2u * row + 1u]); t++) {
      let step = row * dims.T + t;
      top.x = max(top.x, stats[step * 6u + 4u]);
      top.y = max(top.y, stats[dims.unitsAt + 8u * step + 1u]);
    }
  }
  a[local] = top;
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (local < half) { a[local] = max(a[local], a[local + half]); }
    workgroupBarrier();
  }
  top = a[0];
  workgroupBarrier();
  // sums of e, e², 1 of steps and of decisions; then Σ(ρ − 1 − log ρ), KL, units
  var e = vec4f();
  var rest = vec3f();
  for (var i = local; i < dims.B; i += 64u) {
    let row = s * dims.B + i;
    if (plan[2u * row + 1u] > 0.0) { e.w += f32(decisions[row]); }
    for (var t = 0u; t < u32(plan[2u * row + 1u]); t++) {
      let step = row * dims.T + t;
      let at = step * 6u;
      let y = exp(stats[at + 4u] - top.x);
      e += vec4f(y, y * y, 1.0, 0.0);
      rest += vec3f(stats[dims.unitsAt + 8u * step], stats[at + 2u], stats[at + 5u]);
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
    record[at + 2u] = top.y;
    record[at + 3u] = b[0].y;
    record[at + 4u] = b[0].z;
    record[at + 5u] = a[0].w;
  }
}
