// The marks of an objective that learns from pairs of episodes of one task: the larger return wins, equal ones make no pair.
//
//   x = scale·(Λ_w − λΛ_l), Λ = Σ or mean of the parts of its units      Loss = Σ ω·f(x) / Σ ω, ω = 1 or 1 + R_w − R_l
//   f(x) = −log σ(x) or (x − apart)²                                    mark = B⁺ · ∂Loss/∂part, B⁺ trajectories with a unit
//
// Of more than maxPairs pairs of a task evenly spaced ones count. One workgroup per replica. The first trajectory of a task stands
// for it: its invocation goes over all pairs in order, so that no order of arrival changes anything. Steps that are not looked at
// have the mark `empty`.
//
// plan : [S, B, 2] = weight, length     stats : see coefficients
// sampled : [S, B, T] log π_old, then sections that are not read
// outcome, taskIndex : [S, B]     credit : at `marksAt` the marks, written here
// scores : [S, B, 3] = Λ, ∂Loss/∂Λ, pairs of the task, written here

// block: see ratioStats; ofLogp: the parts are log π, else Δ; squared, byGap, mean: f, ω and Λ are the second ones
struct Dims {
  B : u32, T : u32, block : u32, marksAt : u32, maxPairs : u32, scale : f32, lambda : f32, apart : f32, squared : u32, byGap : u32,
  mean : u32, ofLogp : u32, empty : f32,
}

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       plan      : array<f32>;
@group(0) @binding(2) var<storage, read>       stats     : array<f32>;
@group(0) @binding(3) var<storage, read>       sampled   : array<f32>;
@group(0) @binding(4) var<storage, read>       outcome   : array<f32>;
@group(0) @binding(5) var<storage, read>       taskIndex : array<u32>;
@group(0) @binding(6) var<storage, read_write> scores    : array<f32>;
@group(0) @binding(7) var<storage, read_write> credit    : array<f32>;

/// trajectories, Σ ω
var<workgroup> sums : array<vec2f, 256>;

/// How many units of a trajectory are looked at.
fn unitsOf(row : u32) -> u32 { return select(0u, u32(plan[2u * row + 1u]), plan[2u * row] != 0.0); }

fn isOf(task : u32, row : u32) -> bool { return taskIndex[row] == task && unitsOf(row) > 0u; }

/// 1, or 1/n where Λ is a mean.
fn shareOf(n : u32) -> f32 { return select(1.0, 1.0 / f32(max(n, 1u)), dims.mean == 1u); }

fn scoreOf(row : u32, n : u32) -> f32 {
  var sum = 0.0;
  for (var step = row * dims.T; step < row * dims.T + n; step++) {
    let delta = stats[6u * step + 4u];
    sum += select(delta, sampled[step] + delta, dims.ofLogp == 1u);
  }
  return sum * shareOf(n);
}

/// Is a row the first of its task?
fn isFirst(row : u32) -> bool {
  let i = row % dims.B;
  for (var k = row - i + i / dims.block * dims.block; k < row; k++) {
    if (isOf(taskIndex[row], k)) { return false; }
  }
  return unitsOf(row) > 0u;
}

/// Adds the slopes of a pair, weighed by its share of Σ ω.
fn pull(winner : u32, loser : u32, weight : f32) {
  let x = dims.scale * (scores[3u * winner] - dims.lambda * scores[3u * loser]);
  let slope = select(1.0 / (1.0 + exp(clamp(x, -80.0, 80.0))), 2.0 * (dims.apart - x), dims.squared == 1u);
  scores[3u * winner + 1u] -= weight * dims.scale * slope;
  scores[3u * loser + 1u] += weight * dims.scale * dims.lambda * slope;
}

/// Goes over all pairs of the task of its first row: how many, and Σ ω of those that count; n: how many there are, or 0. With the
/// Σ ω of all tasks it adds their slopes, if it `adds`.
fn goOver(first : u32, n : f32, total : f32, adds : bool) -> vec2f {
  let task = taskIndex[first];
  let i = first % dims.B;
  let end = first - i + min((i / dims.block + 1u) * dims.block, dims.B);
  var all = vec2f();
  // how far the next pair that counts is ahead, in pairs times maxPairs
  var ahead = 0u;
  for (var a = first; a < end; a++) {
    if (!isOf(task, a)) { continue; }
    for (var b = a + 1u; b < end; b++) {
      let gap = outcome[a] - outcome[b];
      if (gap == 0.0 || !isOf(task, b)) { continue; }
      all.x += 1.0;
      if (u32(n) > dims.maxPairs) {
        let counts = ahead < dims.maxPairs;
        ahead = ahead + select(0u, u32(n), counts) - dims.maxPairs;
        if (!counts) { continue; }
      }
      var weight = select(1.0, 1.0 + abs(gap), dims.byGap == 1u);
      if ((bitcast<u32>(gap) & 0x7fffffffu) > 0x7f800000u) { weight = gap; }
      all.y += weight;
      if (adds) { pull(select(b, a, gap > 0.0), select(a, b, gap > 0.0), weight / total); }
    }
  }
  return all;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let from_ = group.z * dims.B;
  let end = from_ + dims.B;
  for (var row = from_ + local; row < end; row += 256u) {
    scores[3u * row] = scoreOf(row, unitsOf(row));
    scores[3u * row + 1u] = 0.0;
    scores[3u * row + 2u] = 0.0;
  }
  storageBarrier();
  var mine = vec2f();
  for (var row = from_ + local; row < end; row += 256u) {
    mine.x += f32(unitsOf(row) > 0u);
    if (!isFirst(row)) { continue; }
    var all = goOver(row, 0.0, 0.0, false);
    if (u32(all.x) > dims.maxPairs) { all = goOver(row, all.x, 0.0, false); }
    scores[3u * row + 2u] = all.x;
    mine.y += all.y;
  }
  sums[local] = mine;
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (local < half) { sums[local] += sums[local + half]; }
    workgroupBarrier();
  }
  let all = workgroupUniformLoad(&sums[0]);
  for (var row = from_ + local; row < end; row += 256u) {
    let n = scores[3u * row + 2u];
    if (n > 0.0) { _ = goOver(row, n, all.y, true); }
  }
  storageBarrier();
  for (var row = from_ + local; row < end; row += 256u) {
    let n = unitsOf(row);
    let mark = all.x * scores[3u * row + 1u] * shareOf(n);
    for (var t = 0u; t < dims.T; t++) { credit[dims.marksAt + row * dims.T + t] = select(dims.empty, mark, t < n); }
  }
}
