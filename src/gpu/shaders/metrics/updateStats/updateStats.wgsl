// Ratios of the steps of the batch after the update: effective sample size (max-shifted), KL, largest ratio,
// KL to the reference. Linked after tree.wgsl; e^Δ is summed around the largest Δ so far. 30 steps of
// 16,384 rows take 13.5 ms, in pieces where needed, instead of 16.3 of one workgroup (two cores of SwiftShader).
//
// stats : [S, B·T, 6] of coefficients with the new weights     plan : [S, B, 2], the second number is the length
// record : [S, 8] = ESS share, sum of ρ − 1 − log ρ, largest ρ, sum of KL to reference

struct Dims { B : u32, lanes : u32, T : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       stats  : array<f32>;
@group(0) @binding(2) var<storage, read>       plan   : array<f32>;
@group(0) @binding(3) var<storage, read_write> record : array<f32>;

/// steps, largest Δ, Σe, Σe² with e = exp(Δ − largest); then Σ(ρ − 1 − Δ), KL to the reference
struct Sums { ratios : vec4f, rest : vec2f }

fn mergeRatios(a : vec4f, b : vec4f) -> vec4f {
  if (a.x == 0.0) { return b; }
  if (b.x == 0.0) { return a; }
  let top = max(a.y, b.y);
  let x = exp(a.y - top);
  let y = exp(b.y - top);
  return vec4f(a.x + b.x, top, a.zw * vec2f(x, x * x) + b.zw * vec2f(y, y * y));
}

fn merge(a : Sums, b : Sums) -> Sums { return Sums(mergeRatios(a.ratios, b.ratios), a.rest + b.rest); }

fn add(sums : Sums, s : u32, i : u32) -> Sums {
  var now = sums;
  let row = s * dims.B + i;
  for (var t = 0u; t < u32(plan[2u * row + 1u]); t++) {
    let at = (row * dims.T + t) * 6u;
    let delta = stats[at + 4u];
    now.ratios = mergeRatios(now.ratios, vec4f(1.0, delta, 1.0, 1.0));
    let held = clamp(delta, -20.0, 20.0);
    // e^Δ − 1 − Δ cancels for small Δ: use its series there
    var k3 = exp(held) - 1.0 - held;
    if (abs(held) < 0.01) { k3 = held * held * (0.5 + held * (0.16666667 + held * 0.041666667)); }
    now.rest += vec2f(k3, stats[at + 2u]);
  }
  return now;
}

fn finish(s : u32, local : u32, all : Sums) {
  if (local != 0u) { return; }
  let at = s * 8u;
  record[at] = all.ratios.z * all.ratios.z / (all.ratios.w * all.ratios.x);
  record[at + 1u] = all.rest.x;
  record[at + 2u] = exp(clamp(all.ratios.y, -20.0, 20.0));
  record[at + 3u] = all.rest.y;
}
