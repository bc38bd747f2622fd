// Behind the norm of look k of stopAbove: with KL = Σ(ρ − 1 − log ρ) / units of the minibatch above `limit` (k > 0) the replica
// stops. It then has the norm −1, with which the optimizer leaves it alone, and its sum of norms stays. Linked after
// tree.wgsl and excess.wgsl, so that it can be cut: 30 steps of 16,384 rows take 12.7 ms as those of one workgroup do (two cores of
// SwiftShader, loaded).
//
// stats : see coefficients, or with `unitsAt` above 0 its rows.wgsl     plan : [S, B, 2] = weight, length
// norms : [S, 2] = norm, sum over steps
// record : [S, 16] = 1 if stopped, steps taken, looks taken, sum of norms over the steps taken

struct Dims { B : u32, lanes : u32, T : u32, k : u32, unitsAt : u32, limit : f32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       stats  : array<f32>;
@group(0) @binding(2) var<storage, read>       plan   : array<f32>;
@group(0) @binding(3) var<storage, read_write> norms  : array<f32>;
@group(0) @binding(4) var<storage, read_write> record : array<f32>;

struct Sums { kl : f32, units : f32 }

fn merge(a : Sums, b : Sums) -> Sums { return Sums(a.kl + b.kl, a.units + b.units); }

fn add(sums : Sums, s : u32, i : u32) -> Sums {
  let row = s * dims.B + i;
  if (plan[2u * row] == 0.0) { return sums; }
  var now = sums;
  for (var t = 0u; t < u32(plan[2u * row + 1u]); t++) {
    let step = row * dims.T + t;
    if (dims.unitsAt > 0u) {
      now = merge(now, Sums(stats[dims.unitsAt + 8u * step], stats[step * 6u + 5u]));
    } else {
      now = merge(now, Sums(excessOf(clamp(stats[step * 6u + 4u], -20.0, 20.0)), 1.0));
    }
  }
  return now;
}

fn finish(s : u32, local : u32, all : Sums) {
  if (local != 0u) { return; }
  let at = 16u * s;
  if (dims.k == 0u) {
    for (var n = 0u; n < 4u; n++) { record[at + n] = 0.0; }
  }
  if (record[at] == 0.0) {
    record[at + 2u] += 1.0;
    if (dims.k > 0u && all.kl > dims.limit * all.units) { record[at] = 1.0; }
  }
  if (record[at] == 0.0) {
    record[at + 1u] += 1.0;
    record[at + 3u] = norms[2u * s + 1u];
  } else {
    norms[2u * s] = -1.0;
    norms[2u * s + 1u] = record[at + 3u];
  }
}
