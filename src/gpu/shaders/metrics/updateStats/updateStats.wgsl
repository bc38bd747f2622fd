// Ratios of the batch after the update: effective sample size of the steps (Δ of a step is the sum over its units), KL,
// largest ratio of a unit, KL to the reference, decisions. Trajectories of length 0 do not count. Linked with tree.wgsl, steps.wgsl
// and excess.wgsl; e^Δ is summed around the largest Δ so far. 30 steps of 16,384 rows take 13.5 ms, in pieces where needed,
// instead of 16.3 of one workgroup (two cores of SwiftShader).
//
// stats : [S, B·T, 6] of coefficients with the new weights; where a step may hold several units, with [S, B·T, 8] at
//         `unitsAt` of its units, else 0     plan : [S, B, 2], the second number is the length
// decisions : [S, B] of commandUnits, read with `unitsAt` alone
// record : [S, 8] = ESS share, sum of ρ − 1 − log ρ, largest ρ, sum of KL to reference, decisions

struct Dims { B : u32, lanes : u32, pieces : u32, T : u32, unitsAt : u32 }

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       stats     : array<f32>;
@group(0) @binding(2) var<storage, read>       plan      : array<f32>;
@group(0) @binding(3) var<storage, read_write> record    : array<f32>;
@group(0) @binding(4) var<storage, read>       decisions : array<u32>;

/// steps, largest Δ, Σe, Σe² with e = exp(Δ − largest); Σ(ρ − 1 − log ρ), KL to the reference, decisions; largest ρ
struct Sums { ratios : vec4f, rest : vec3f, rho : f32 }

fn mergeRatios(a : vec4f, b : vec4f) -> vec4f {
  if (a.x == 0.0) { return b; }
  if (b.x == 0.0) { return a; }
  let top = max(a.y, b.y);
  let x = exp(a.y - top);
  let y = exp(b.y - top);
  return vec4f(a.x + b.x, top, a.zw * vec2f(x, x * x) + b.zw * vec2f(y, y * y));
}

fn merge(a : Sums, b : Sums) -> Sums {
  return Sums(mergeRatios(a.ratios, b.ratios), a.rest + b.rest, max(a.rho, b.rho));
}

fn add(s : u32, i : u32, from_ : u32, by : u32) -> Sums {
  var now = Sums();
  let row = s * dims.B + i;
  for (var t = from_; t < u32(plan[2u * row + 1u]); t += by) {
    let step = row * dims.T + t;
    let delta = stats[step * 6u + 4u];
    let held = clamp(delta, -20.0, 20.0);
    // (Σ(ρ − 1 − log ρ), largest ρ) of its units
    var units = vec2f(excessOf(held), exp(held));
    if (dims.unitsAt != 0u) { units = vec2f(stats[dims.unitsAt + 8u * step], stats[dims.unitsAt + 8u * step + 1u]); }
    now.ratios = mergeRatios(now.ratios, vec4f(1.0, delta, 1.0, 1.0));
    now.rest += vec3f(units.x, stats[step * 6u + 2u], 0.0);
    now.rho = max(now.rho, units.y);
  }
  return now;
}

fn whole(sums : Sums, s : u32, i : u32) -> Sums {
  var now = sums;
  if (dims.unitsAt != 0u && sums.ratios.x > 0.0) { now.rest.z = f32(decisions[s * dims.B + i]); }
  return now;
}

fn finish(s : u32, local : u32, all : Sums) {
  if (local != 0u) { return; }
  let at = s * 8u;
  record[at] = all.ratios.z * all.ratios.z / (all.ratios.w * all.ratios.x);
  record[at + 1u] = all.rest.x;
  record[at + 2u] = all.rho;
  record[at + 3u] = all.rest.y;
  record[at + 4u] = all.rest.z;
}
