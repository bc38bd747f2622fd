// How the ratios of a batch stand, beyond what updateStats says: effective sample sizes with cut weights and in groups,
// largest share, mean weight, moments of Δ, kinds of clipping, covariance of A and log π. Trajectories without a weight are
// left out. Linked with tree.wgsl, steps.wgsl, excess.wgsl and clipping.wgsl; e^λ is summed around the largest λ so far, a covariance around the
// means so far. 30 steps of 16,384 rows take 39 ms, in pieces where needed, instead of 52 of one workgroup (two cores of SwiftShader).
//
// stats : [S, B·T, 6] of coefficients; where a step may hold several units, with [S, B·T, 8] at `unitsAt`
//         of its units, else 0     plan : [S, B, 2] = weight, length
// sampled : [S, B, T] log π_old, then sections that are not read
// credit : sections of `section`: A, one that is not read, and where units carry marks the mark of each step
// taskIndex : [S, B]     rowSum : [S, B] Σ Δ of each trajectory, written here
// record : [S, 16] = ESS share of trajectories, the same with weights cut at 8, its mean over groups, largest share, mean
//          weight, Σρ, ΣΔ, ΣΔ², units clipped high, low, dual, outside the bounds, covariance, Σ(ρ − 1 − Δ), units,
//          trajectories

// block: the rows of a task lie in one block of this many rows, in the order of tasks; B where they may lie anywhere
struct Dims {
  B : u32, lanes : u32, pieces : u32, T : u32, P : u32, block : u32, unitsAt : u32, section : u32,
  clips : u32, low : f32, high : f32, ofDelta : f32, ofMark : f32,
}

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       stats     : array<f32>;
@group(0) @binding(2) var<storage, read>       plan      : array<f32>;
@group(0) @binding(3) var<storage, read>       sampled   : array<f32>;
@group(0) @binding(4) var<storage, read>       credit    : array<f32>;
@group(0) @binding(5) var<storage, read>       taskIndex : array<u32>;
@group(0) @binding(6) var<storage, read_write> rowSum    : array<f32>;
@group(0) @binding(7) var<storage, read_write> record    : array<f32>;

const LOG_CAP = 2.0794415;

struct Sums {
  /// Σρ, ΣΔ, ΣΔ², Σ(ρ − 1 − Δ)
  moments : vec4f,
  clips   : vec4f,
  /// units, mean of A, mean of log π, sum of the products of the distances from both
  units   : vec4f,
  /// trajectories, largest λ = ΣΔ, Σe, Σe² with e = exp(λ − largest)
  weights : vec4f,
  /// Σe, Σe² with λ cut at LOG_CAP, Σ exp λ
  cut     : vec4f,
}

fn mergeUnits(a : vec4f, b : vec4f) -> vec4f {
  if (a.x == 0.0) { return b; }
  if (b.x == 0.0) { return a; }
  let share = b.x / (a.x + b.x);
  let far = b.yz - a.yz;
  return vec4f(a.x + b.x, a.yz + far * share, a.w + b.w + far.x * far.y * (a.x * share));
}

fn merge(a : Sums, b : Sums) -> Sums {
  var both = Sums(a.moments + b.moments, a.clips + b.clips, mergeUnits(a.units, b.units), a.weights, a.cut);
  if (b.weights.x == 0.0) { return both; }
  both.weights = b.weights;
  both.cut = b.cut;
  if (a.weights.x == 0.0) { return both; }
  let top = max(a.weights.y, b.weights.y);
  let x = vec2f(exp(a.weights.y - top), exp(b.weights.y - top));
  let y = exp(min(vec2f(a.weights.y, b.weights.y), vec2f(LOG_CAP)) - min(top, LOG_CAP));
  let e = a.weights.zw * vec2f(x.x, x.x * x.x) + b.weights.zw * vec2f(x.y, x.y * x.y);
  let cut = a.cut.xy * vec2f(y.x, y.x * y.x) + b.cut.xy * vec2f(y.y, y.y * y.y);
  both.weights = vec4f(a.weights.x + b.weights.x, top, e);
  both.cut = vec4f(cut, a.cut.z + b.cut.z, 0.0);
  return both;
}

fn unitsOf(at : u32) -> f32 { return select(1.0, stats[at + 5u], dims.unitsAt != 0u); }

/// ESS share of the members of one group; −1 without members.
fn groupShare(s : u32, g : u32) -> f32 {
  var top = -3.0e38;
  var n = 0.0;
  let isAnywhere = dims.block == dims.B;
  let from_ = s * dims.B + select(min(g * dims.block, dims.B), 0u, isAnywhere);
  let end = s * dims.B + select(min(g * dims.block + dims.block, dims.B), dims.B, isAnywhere);
  for (var row = from_; row < end; row++) {
    if (plan[2u * row] == 0.0 || taskIndex[row] != g) { continue; }
    top = max(top, rowSum[row]);
    n += 1.0;
  }
  var e = vec2f();
  for (var row = from_; row < end; row++) {
    if (plan[2u * row] == 0.0 || taskIndex[row] != g) { continue; }
    let x = exp(rowSum[row] - top);
    e += vec2f(x, x * x);
  }
  return select(-1.0, e.x * e.x / (e.y * max(n, 1.0)), n > 0.0);
}

fn add(s : u32, i : u32, from_ : u32, by : u32) -> Sums {
  let row = s * dims.B + i;
  var now = Sums();
  if (plan[2u * row] == 0.0) { return now; }
  for (var t = from_; t < u32(plan[2u * row + 1u]); t += by) {
    let step = row * dims.T + t;
    let at = step * 6u;
    let delta = stats[at + 4u];
    if (dims.unitsAt != 0u) {
      let units = dims.unitsAt + 8u * step;
      now.moments += vec4f(stats[units + 2u], delta, stats[units + 3u], stats[units]);
      now.clips += vec4f(stats[units + 4u], stats[units + 5u], stats[units + 6u], stats[units + 7u]);
    } else {
      let held = clamp(delta, -20.0, 20.0);
      now.moments += vec4f(exp(held), delta, delta * delta, excessOf(held));
      let code = kindOf(stats[at + 3u], credit[step], delta);
      var mark = 0.0;
      if (arrayLength(&credit) >= 3u * dims.section) { mark = credit[2u * dims.section + step]; }
      now.clips += vec4f(f32(code == 1.0), f32(code == 2.0), f32(code == 3.0), f32(isOutside(delta, mark)));
    }
    let n = unitsOf(at);
    now.units = mergeUnits(now.units, vec4f(n, credit[step], (sampled[step] + delta) / max(n, 1.0), 0.0));
  }
  return now;
}

/// λ of a row is the sum of its Δ.
fn whole(sums : Sums, s : u32, i : u32) -> Sums {
  let row = s * dims.B + i;
  if (plan[2u * row] == 0.0) { return sums; }
  let sum = sums.moments.y;
  rowSum[row] = sum;
  var own = sums;
  own.weights = vec4f(1.0, sum, 1.0, 1.0);
  own.cut = vec4f(1.0, 1.0, exp(clamp(sum, -20.0, 20.0)), 0.0);
  return own;
}

fn finish(s : u32, local : u32, all : Sums) {
  // one workgroup has just written the sums of the rows
  storageBarrier();
  var shares = Sums();
  for (var g = local; g < dims.P; g += LANES) {
    let share = groupShare(s, g);
    if (share >= 0.0) { shares.moments += vec4f(share, 1.0, 0.0, 0.0); }
  }
  let groups = treeOf(local, shares).moments;
  if (local != 0u) { return; }
  let at = s * 16u;
  let n = all.weights.x;
  record[at] = all.weights.z * all.weights.z / (all.weights.w * n);
  record[at + 1u] = all.cut.x * all.cut.x / (all.cut.y * n);
  record[at + 2u] = groups.x / groups.y;
  record[at + 3u] = 1.0 / all.weights.z;
  record[at + 4u] = all.cut.z / n;
  for (var k = 0u; k < 3u; k++) { record[at + 5u + k] = all.moments[k]; }
  for (var k = 0u; k < 4u; k++) { record[at + 8u + k] = all.clips[k]; }
  record[at + 12u] = all.units.w / all.units.x;
  record[at + 13u] = all.moments.w;
  record[at + 14u] = all.units.x;
  record[at + 15u] = n;
}
