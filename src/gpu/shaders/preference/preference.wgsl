// Preference loss over all pairs of a success i⁺ and a failure i⁻ of one task, and its slope by the log-probabilities:
//
//   q[i] = β Σ_t (log π_φ − log π_old), divided by the length with `mean`       loss = mean of −log σ(q[i⁺] − q[i⁻])
//   plan[i] = ∂loss/∂log π_φ at every step of i, and its length                 0 everywhere without a pair
//
// One workgroup per replica: every invocation owns the trajectories local, local + 64, …; sums in a fixed tree.
//
// phi, logp : [S, B, T]     ending : [S, B, 4], the first number is 1 for a success     q : [S, B]     plan : [S, B, 2]
// record : [S, 8] = pairs, loss, share of pairs with q[i⁺] > q[i⁻] by more than
// rounding; the rest stays

struct Dims { B : u32, T : u32, beta : f32, mean : u32 }

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       phi       : array<f32>;
@group(0) @binding(2) var<storage, read>       logp      : array<f32>;
@group(0) @binding(3) var<storage, read>       length    : array<u32>;
@group(0) @binding(4) var<storage, read>       taskIndex : array<u32>;
@group(0) @binding(5) var<storage, read>       ending    : array<u32>;
@group(0) @binding(6) var<storage, read_write> q         : array<f32>;
@group(0) @binding(7) var<storage, read_write> plan      : array<f32>;
@group(0) @binding(8) var<storage, read_write> record    : array<f32>;

var<workgroup> sums : array<vec3f, 64>; // pairs, loss, ranked rightly

fn isWin(row : u32) -> bool { return ending[4u * row] == 1u; }

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  let first = s * dims.B;
  for (var row = first + local; row < first + dims.B; row += 64u) {
    var total = 0.0;
    for (var t = 0u; t < length[row]; t++) { total += phi[row * dims.T + t] - logp[row * dims.T + t]; }
    q[row] = dims.beta * total / select(1.0, f32(length[row]), dims.mean == 1u);
  }
  storageBarrier();
  workgroupBarrier();
  var mine = vec3f();
  for (var row = first + local; row < first + dims.B; row += 64u) {
    let wins = isWin(row);
    var slope = 0.0;
    for (var other = first; other < first + dims.B; other++) {
      if (taskIndex[other] != taskIndex[row] || isWin(other) == wins) { continue; }
      let margin = select(q[other] - q[row], q[row] - q[other], wins);
      let doubt = 1.0 / (1.0 + exp(clamp(margin, -80.0, 80.0)));
      slope += select(doubt, -doubt, wins);
      if (wins) {
        mine += vec3f(1.0, max(-margin, 0.0) + log(1.0 + exp(-abs(margin))), select(0.0, 1.0, margin > 1.0e-5 * dims.beta));
      }
    }
    plan[2u * row] = slope;
    plan[2u * row + 1u] = f32(length[row]);
  }
  sums[local] = mine;
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (local < half) { sums[local] += sums[local + half]; }
    workgroupBarrier();
  }
  let pairs = sums[0].x;
  let each = select(0.0, dims.beta / max(pairs, 1.0), pairs > 0.0);
  for (var row = first + local; row < first + dims.B; row += 64u) {
    plan[2u * row] *= each / select(1.0, f32(length[row]), dims.mean == 1u);
  }
  if (local == 0u) {
    record[8u * s] = pairs;
    record[8u * s + 1u] = sums[0].y / max(pairs, 1.0);
    record[8u * s + 2u] = sums[0].z / max(pairs, 1.0);
  }
}
