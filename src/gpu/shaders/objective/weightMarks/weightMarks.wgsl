// The marks of an objective that weighs whole trajectories by w = exp λ, λ = Σ Δ, and the step that follows from these weights.
//
//   mark = min(w, cap)·c      c = 1, or (R − b)/σ over the trajectories of the task, b = Σ W R / Σ W,
//                             W = w²·q (credit 1) or w²·min(w, cap)²·q (credit 2)
//   rate ← rate·s             s = √min(1, ess/base) (rule 1), min(1, ess/base) (rule 2) or 1 (rule 0); ess = (Σw)²/(n·Σw²)
//
// q: squared length of the score of a trajectory, the sum of its `squares`, or 1 where there are none. Where all q of a task are 0,
// b is the mean of R; σ divides by the number of trajectories, and by nothing up to 1e-8. Weights are taken relative to the largest,
// and returns relative to that of the trajectory that is marked, so that equal ones differ by exactly 0. One workgroup per replica.
// Steps that are not looked at have the mark `empty`.
//
// plan : [S, B, 2] = weight, length     stats : see coefficients     outcome, taskIndex : [S, B]
// squares : [S, B, columns]     rates : [rows, 4], that of replica s is row ratesAt + s
// scores : [S, B, 2] = λ, q, written here     credit : at `marksAt` the marks, written here

// block: see ratioStats
struct Dims {
  B : u32, T : u32, block : u32, marksAt : u32, columns : u32, ratesAt : u32, credit : u32, rule : u32, logCap : f32, base : f32,
  empty : f32,
}

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       plan      : array<f32>;
@group(0) @binding(2) var<storage, read>       stats     : array<f32>;
@group(0) @binding(3) var<storage, read>       outcome   : array<f32>;
@group(0) @binding(4) var<storage, read>       taskIndex : array<u32>;
@group(0) @binding(5) var<storage, read>       squares   : array<f32>;
@group(0) @binding(6) var<storage, read_write> rates     : array<f32>;
@group(0) @binding(7) var<storage, read_write> scores    : array<f32>;
@group(0) @binding(8) var<storage, read_write> credit    : array<f32>;

/// the largest λ
var<workgroup> tops : array<f32, 256>;
/// Σ w, Σ w², trajectories
var<workgroup> sums : array<vec3f, 256>;

/// How many units of a trajectory are looked at.
fn unitsOf(row : u32) -> u32 { return select(0u, u32(plan[2u * row + 1u]), plan[2u * row] != 0.0); }

fn logWeightOf(row : u32) -> f32 {
  var sum = 0.0;
  for (var step = row * dims.T; step < row * dims.T + unitsOf(row); step++) { sum += stats[6u * step + 4u]; }
  return sum;
}

fn squareOf(row : u32) -> f32 {
  var sum = select(0.0, 1.0, dims.columns == 0u);
  for (var k = row * dims.columns; k < (row + 1u) * dims.columns; k++) { sum += squares[k]; }
  return sum;
}

/// What is no number stays none.
fn capped(logWeight : f32) -> f32 { return select(logWeight, dims.logCap, logWeight > dims.logCap); }

/// log W − log q
fn powerOf(row : u32) -> f32 {
  let logWeight = scores[2u * row];
  return 2.0 * logWeight + select(0.0, 2.0 * capped(logWeight), dims.credit == 2u);
}

/// (R − b)/σ of a trajectory.
fn creditOf(row : u32) -> f32 {
  let task = taskIndex[row];
  let from_ = row - row % dims.B;
  let isAnywhere = dims.block == dims.B;
  let first = from_ + select(min(task * dims.block, dims.B), 0u, isAnywhere);
  let end = from_ + select(min(task * dims.block + dims.block, dims.B), dims.B, isAnywhere);
  var top = -3.4e38;
  var all = vec2f();
  for (var k = first; k < end; k++) {
    if (taskIndex[k] != task || unitsOf(k) == 0u) { continue; }
    all += vec2f(outcome[k] - outcome[row], 1.0);
    if (scores[2u * k + 1u] > 0.0) { top = max(top, powerOf(k)); }
  }
  let mean = all.x / all.y;
  // Σ W and Σ W·(R − R of this one); Σ (R − mean)²
  var weighed = vec2f();
  var squared = 0.0;
  for (var k = first; k < end; k++) {
    if (taskIndex[k] != task || unitsOf(k) == 0u) { continue; }
    let gap = outcome[k] - outcome[row];
    if (scores[2u * k + 1u] > 0.0) { weighed += exp(powerOf(k) - top) * scores[2u * k + 1u] * vec2f(1.0, gap); }
    squared += (gap - mean) * (gap - mean);
  }
  var baseline = mean;
  if (weighed.x > 0.0) { baseline = weighed.y / weighed.x; }
  let sigma = sqrt(squared / all.y);
  return -baseline / select(1.0, sigma, sigma > 1.0e-8);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let from_ = group.z * dims.B;
  let end = from_ + dims.B;
  var top = -3.4e38;
  for (var row = from_ + local; row < end; row += 256u) {
    let logWeight = logWeightOf(row);
    scores[2u * row] = logWeight;
    scores[2u * row + 1u] = squareOf(row);
    if (unitsOf(row) > 0u) { top = max(top, logWeight); }
  }
  tops[local] = top;
  storageBarrier();
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (local < half) { tops[local] = max(tops[local], tops[local + half]); }
    workgroupBarrier();
  }
  let largest = workgroupUniformLoad(&tops[0]);
  var mine = vec3f();
  for (var row = from_ + local; row < end; row += 256u) {
    let w = exp(scores[2u * row] - largest);
    if (unitsOf(row) > 0u) { mine += vec3f(w, w * w, 1.0); }
  }
  sums[local] = mine;
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (local < half) { sums[local] += sums[local + half]; }
    workgroupBarrier();
  }
  let all = sums[0];
  if (local == 0u && dims.rule != 0u && all.z > 0.0) {
    let share = all.x * all.x / (all.y * all.z * dims.base);
    let held = select(share, 1.0, share > 1.0);
    rates[4u * (dims.ratesAt + group.z)] *= select(held, sqrt(held), dims.rule == 1u);
  }
  for (var row = from_ + local; row < end; row += 256u) {
    let n = unitsOf(row);
    var mark = dims.empty;
    if (n > 0u) {
      mark = exp(capped(scores[2u * row]));
      if (dims.credit != 0u) { mark *= creditOf(row); }
    }
    for (var t = 0u; t < dims.T; t++) { credit[dims.marksAt + row * dims.T + t] = select(dims.empty, mark, t < n); }
  }
}
