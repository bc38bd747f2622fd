// A replica that has moved too far takes no further step on its batch. At look k of an update:
//
//   hold    behind the weights (k > 0): trajectories of a stopped replica weigh nothing
//   keep    behind the gradient: a stopped replica keeps the one it stopped at
//   judge   behind the norm: with KL = Σ(ρ − 1 − log ρ) / units of the minibatch above `limit` (k > 0) the replica stops.
//           It then has the norm −1, with which the optimizer leaves it alone, and its sum of norms stays
//
// One invocation per trajectory, one per parameter, one workgroup per replica with a fixed tree.
//
// stats : see coefficients, or with `unitsAt` above 0 commandCoefficients     plan : [S, B, 2] = weight, length
// gradient, held : [S, size]     norms : [S, 2] = norm, sum over steps
// record : [S, 16] = 1 if stopped, steps taken, looks taken, sum of norms over the steps taken

struct Dims { S : u32, B : u32, T : u32, size : u32, k : u32, unitsAt : u32, limit : f32 }

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       stats    : array<f32>;
@group(0) @binding(2) var<storage, read_write> plan     : array<f32>;
@group(0) @binding(3) var<storage, read_write> gradient : array<f32>;
@group(0) @binding(4) var<storage, read_write> held     : array<f32>;
@group(0) @binding(5) var<storage, read_write> norms    : array<f32>;
@group(0) @binding(6) var<storage, read_write> record   : array<f32>;

var<workgroup> sums : array<vec2f, 64>;

@compute @workgroup_size(64)
fn hold(@builtin(global_invocation_id) id : vec3u) {
  let row = id.x;
  if (row >= dims.S * dims.B) { return; }
  if (record[16u * (row / dims.B)] != 0.0) { plan[2u * row] = 0.0; }
}

@compute @workgroup_size(64)
fn keep(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.size) { return; }
  let at = group.z * dims.size + id;
  if (dims.k > 0u && record[16u * group.z] != 0.0) { gradient[at] = held[at]; } else { held[at] = gradient[at]; }
}

/// ρ − 1 − log ρ, which cancels for small Δ: there its series is used.
fn distance_(delta : f32) -> f32 {
  let d = clamp(delta, -20.0, 20.0);
  if (abs(d) < 0.01) { return d * d * (0.5 + d * (0.16666667 + d * 0.041666667)); }
  return exp(d) - 1.0 - d;
}

@compute @workgroup_size(64)
fn judge(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  var sum = vec2f();
  for (var i = local; i < dims.B; i += 64u) {
    let row = s * dims.B + i;
    if (plan[2u * row] == 0.0) { continue; }
    for (var t = 0u; t < u32(plan[2u * row + 1u]); t++) {
      let step = row * dims.T + t;
      if (dims.unitsAt > 0u) {
        sum += vec2f(stats[dims.unitsAt + 8u * step], stats[step * 6u + 5u]);
      } else {
        sum += vec2f(distance_(stats[step * 6u + 4u]), 1.0);
      }
    }
  }
  sums[local] = sum;
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (local < half) { sums[local] += sums[local + half]; }
    workgroupBarrier();
  }
  if (local != 0u) { return; }
  let at = 16u * s;
  if (dims.k == 0u) {
    for (var n = 0u; n < 4u; n++) { record[at + n] = 0.0; }
  }
  if (record[at] == 0.0) {
    record[at + 2u] += 1.0;
    if (dims.k > 0u && sums[0].x > dims.limit * sums[0].y) { record[at] = 1.0; }
  }
  if (record[at] == 0.0) {
    record[at + 1u] += 1.0;
    record[at + 3u] = norms[2u * s + 1u];
  } else {
    norms[2u * s] = -1.0;
    norms[2u * s + 1u] = record[at + 3u];
  }
}
