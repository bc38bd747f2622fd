// How the ratios of a batch stand, beyond what updateStats says: effective sample sizes with cut weights and in groups,
// largest share, mean weight, moments of Δ, kinds of clipping, covariance of A and log π. Trajectories without a weight are
// left out. One workgroup per replica, 64 partial sums and fixed trees. Linked behind clipping.wgsl.
//
// stats : [S, B·T, 6] of coefficients; where a step may hold several units commandCoefficients, with [S, B·T, 8] at `unitsAt`
//         of its units, else 0     plan : [S, B, 2] = weight, length
// sampled : [S, B, T] log π_old, then sections that are not read
// credit : sections of `section`: A, one that is not read, and where units carry marks the mark of each step
// rowSum : [S, B] Σ Δ of each trajectory, written here
// record : [S, 16] = ESS share of trajectories, the same with weights cut at 8, its mean over groups, largest share, mean
//          weight, Σρ, ΣΔ, ΣΔ², units clipped high, low, dual, outside the bounds, covariance, Σ(ρ − 1 − Δ), units,
//          trajectories

// G: the rows of a task lie in one block of so many rows
struct Dims {
  B : u32, T : u32, P : u32, G : u32, unitsAt : u32, section : u32,
  clips : u32, low : f32, high : f32, ofDelta : f32, ofMark : f32,
}

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       stats     : array<f32>;
@group(0) @binding(2) var<storage, read>       plan      : array<f32>;
@group(0) @binding(3) var<storage, read>       sampled   : array<f32>;
@group(0) @binding(4) var<storage, read>       credit    : array<f32>;
@group(0) @binding(5) var<storage, read_write> rowSum    : array<f32>;
@group(0) @binding(6) var<storage, read_write> record    : array<f32>;

const LOG_CAP = 2.0794415;

var<workgroup> a : array<vec4f, 64>;
var<workgroup> b : array<vec4f, 64>;
var<workgroup> c : array<vec4f, 64>;

fn sumUp(local : u32, x : vec4f, y : vec4f, z : vec4f) {
  workgroupBarrier();
  a[local] = x;
  b[local] = y;
  c[local] = z;
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (local < half) {
      a[local] += a[local + half];
      b[local] += b[local + half];
      c[local] += c[local + half];
    }
    workgroupBarrier();
  }
}

fn unitsOf(at : u32) -> f32 { return select(1.0, stats[at + 5u], dims.unitsAt != 0u); }

/// ESS share of the members of one group; −1 without members.
fn groupShare(s : u32, g : u32) -> f32 {
  var top = -3.0e38;
  var n = 0.0;
  let from_ = s * dims.B + min(g * dims.G, dims.B);
  let end = s * dims.B + min(g * dims.G + dims.G, dims.B);
  for (var row = from_; row < end; row++) {
    if (plan[2u * row] == 0.0) { continue; }
    top = max(top, rowSum[row]);
    n += 1.0;
  }
  var e = vec2f();
  for (var row = from_; row < end; row++) {
    if (plan[2u * row] == 0.0) { continue; }
    let x = exp(rowSum[row] - top);
    e += vec2f(x, x * x);
  }
  return select(-1.0, e.x * e.x / (e.y * max(n, 1.0)), n > 0.0);
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  var top = -3.0e38;
  var moments = vec4f();
  var clips = vec4f();
  var means = vec4f();
  for (var i = local; i < dims.B; i += 64u) {
    let row = s * dims.B + i;
    if (plan[2u * row] == 0.0) { continue; }
    var sum = 0.0;
    for (var t = 0u; t < u32(plan[2u * row + 1u]); t++) {
      let step = row * dims.T + t;
      let at = step * 6u;
      let delta = stats[at + 4u];
      sum += delta;
      if (dims.unitsAt != 0u) {
        let units = dims.unitsAt + 8u * step;
        moments += vec4f(stats[units + 2u], delta, stats[units + 3u], stats[units]);
        clips += vec4f(stats[units + 4u], stats[units + 5u], stats[units + 6u], stats[units + 7u]);
      } else {
        let held = clamp(delta, -20.0, 20.0);
        let rho = exp(held);
        // e^Δ − 1 − Δ cancels for small Δ: use its series there
        var k3 = rho - 1.0 - held;
        if (abs(held) < 0.01) { k3 = held * held * (0.5 + held * (0.16666667 + held * 0.041666667)); }
        moments += vec4f(rho, delta, delta * delta, k3);
        let code = kindOf(stats[at + 3u], credit[step], delta);
        var mark = 0.0;
        if (arrayLength(&credit) >= 3u * dims.section) { mark = credit[2u * dims.section + step]; }
        clips += vec4f(f32(code == 1.0), f32(code == 2.0), f32(code == 3.0), f32(isOutside(delta, mark)));
      }
      let n = unitsOf(at);
      means += vec4f(n, n * credit[step], sampled[step] + delta, 0.0);
    }
    rowSum[row] = sum;
    top = max(top, sum);
    means.w += 1.0;
  }
  a[local] = vec4f(top);
  storageBarrier();
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (local < half) { a[local] = max(a[local], a[local + half]); }
    workgroupBarrier();
  }
  top = a[0].x;
  sumUp(local, moments, clips, means);
  let at = s * 16u;
  if (local == 0u) {
    for (var k = 0u; k < 3u; k++) {
      record[at + 5u + k] = a[0][k];
      record[at + 8u + k] = b[0][k];
    }
    record[at + 11u] = b[0].w;
    record[at + 13u] = a[0].w;
    record[at + 14u] = c[0].x;
    record[at + 15u] = c[0].w;
  }
  let units = c[0].x;
  let meanA = c[0].y / units;
  let meanL = c[0].z / units;
  let n = c[0].w;
  var e = vec4f();
  var rest = vec4f();
  for (var i = local; i < dims.B; i += 64u) {
    let row = s * dims.B + i;
    if (plan[2u * row] == 0.0) { continue; }
    let x = exp(rowSum[row] - top);
    let y = exp(min(rowSum[row], LOG_CAP) - min(top, LOG_CAP));
    e += vec4f(x, x * x, y, y * y);
    rest.x += exp(clamp(rowSum[row], -20.0, 20.0));
    for (var t = 0u; t < u32(plan[2u * row + 1u]); t++) {
      let step = row * dims.T + t;
      let u = unitsOf(step * 6u);
      rest.y += (credit[step] - meanA) * (sampled[step] + stats[step * 6u + 4u] - u * meanL);
    }
  }
  for (var g = local; g < dims.P; g += 64u) {
    let share = groupShare(s, g);
    if (share >= 0.0) { rest += vec4f(0.0, 0.0, share, 1.0); }
  }
  sumUp(local, e, rest, vec4f());
  if (local == 0u) {
    record[at] = a[0].x * a[0].x / (a[0].y * n);
    record[at + 1u] = a[0].z * a[0].z / (a[0].w * n);
    record[at + 2u] = b[0].z / b[0].w;
    record[at + 3u] = 1.0 / a[0].x;
    record[at + 4u] = b[0].x / n;
    record[at + 12u] = b[0].y / units;
  }
}
