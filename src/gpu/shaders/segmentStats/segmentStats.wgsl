// Count, mean, sample std, and whether a set may be compared at all, for each task group of each replica
// (segments = P, by taskIndex) or for the whole batch (segments = 1).
// One workgroup per (segment, replica): 64 partial sums over rows i = local, local + 64, … then a fixed tree; two
// passes (mean, then squared deviations), never E[x²] − E[x]². Equal inputs give equal bits.
//
// x : [S, B, cols], the first length[row] of each row count (cols 1: a row counts once, unless its length is 0)
// stats : [S, segments, 4] = count, mean, std (n − 1), 1 if degenerate

struct Dims { B : u32, cols : u32, segments : u32 }

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       x         : array<f32>;
@group(0) @binding(2) var<storage, read>       length    : array<u32>;
@group(0) @binding(3) var<storage, read>       taskIndex : array<u32>;
@group(0) @binding(4) var<storage, read_write> stats     : array<f32>;

var<workgroup> sums   : array<f32, 64>;
var<workgroup> counts : array<f32, 64>;
var<workgroup> lows   : array<f32, 64>;
var<workgroup> highs  : array<f32, 64>;

fn steps(row : u32) -> u32 { return select(length[row], min(length[row], 1u), dims.cols == 1u); }
fn isMember(row : u32, segment : u32) -> bool { return dims.segments == 1u || taskIndex[row] == segment; }

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let segment = group.x;
  let s = group.z;
  var sum = 0.0;
  var count = 0.0;
  var low = 3.0e38;
  var high = -3.0e38;
  for (var i = local; i < dims.B; i += 64u) {
    let row = s * dims.B + i;
    if (!isMember(row, segment)) { continue; }
    for (var t = 0u; t < steps(row); t++) {
      let value = x[row * dims.cols + t];
      sum += value;
      count += 1.0;
      low = min(low, value);
      high = max(high, value);
    }
  }
  sums[local] = sum;
  counts[local] = count;
  lows[local] = low;
  highs[local] = high;
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (local < half) {
      sums[local] += sums[local + half];
      counts[local] += counts[local + half];
      lows[local] = min(lows[local], lows[local + half]);
      highs[local] = max(highs[local], highs[local + half]);
    }
    workgroupBarrier();
  }
  let n = counts[0];
  let mean = sums[0] / max(n, 1.0);
  let bottom = lows[0];
  let top = highs[0];
  workgroupBarrier();
  var squares = 0.0;
  for (var i = local; i < dims.B; i += 64u) {
    let row = s * dims.B + i;
    if (!isMember(row, segment)) { continue; }
    for (var t = 0u; t < steps(row); t++) {
      let d = x[row * dims.cols + t] - mean;
      squares += d * d;
    }
  }
  sums[local] = squares;
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (local < half) { sums[local] += sums[local + half]; }
    workgroupBarrier();
  }
  if (local == 0u) {
    let at = (s * dims.segments + segment) * 4u;
    let spread = 1.0e-5 * max(1.0, max(abs(bottom), abs(top)));
    stats[at] = n;
    stats[at + 1u] = mean;
    stats[at + 2u] = sqrt(sums[0] / max(n - 1.0, 1.0));
    stats[at + 3u] = select(0.0, 1.0, n < 2.0 || top - bottom <= spread);
  }
}
