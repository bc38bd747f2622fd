// What the sums of the trajectories say about the batch and its task groups, whose rows lie in one block or anywhere. One workgroup per replica,
// 64 partial sums over every 64th group, then a fixed tree. Means and squared distances from them are joined as Chan,
// Golub and LeVeque do, so that a small spread far from 0 keeps its digits.
//
// sums : [S, B, 12] of rowSums     taskIndex : [S, B]
// record : [S, 16] = shares of groups with some credit, with both outcomes, all solved, all failed; mean, sample std of A,
//          share of steps with A > 0; mean length of successes, of failures (−1 without any); 1 − Var(target − V)/Var(target),
//          Var(target) over the steps, trajectories; the others are left alone

// block: the rows of a task lie in one block of this many rows, in the order of tasks; B where they may lie anywhere
struct Dims { B : u32, P : u32, block : u32 }

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       sums      : array<f32>;
@group(0) @binding(2) var<storage, read>       taskIndex : array<u32>;
@group(0) @binding(3) var<storage, read_write> record    : array<f32>;

/// steps, means; steps with A > 0, squared distances from the means
struct Moments { mean : vec4f, squares : vec4f }

var<workgroup> kinds   : array<vec4f, 64>;
var<workgroup> who     : array<vec4f, 64>;
var<workgroup> moments : array<Moments, 64>;

fn joined(a : Moments, b : Moments) -> Moments {
  if (a.mean.x == 0.0) { return b; }
  if (b.mean.x == 0.0) { return a; }
  let n = a.mean.x + b.mean.x;
  let share = b.mean.x / n;
  let far = b.mean.yzw - a.mean.yzw;
  let mean = a.mean.yzw + far * share;
  let squares = a.squares.yzw + b.squares.yzw + far * far * (a.mean.x * share);
  return Moments(vec4f(n, mean), vec4f(a.squares.x + b.squares.x, squares));
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  var a = vec4f();
  var b = vec4f();
  var steps = Moments();
  for (var g = local; g < dims.P; g += 64u) {
    var n = 0.0;
    var wins = 0.0;
    var long = 0.0;
    var some = 0.0;
    let isAnywhere = dims.block == dims.B;
    let begin = select(g * dims.block, 0u, isAnywhere);
    let end = select(min(g * dims.block + dims.block, dims.B), dims.B, isAnywhere);
    for (var i = begin; i < end; i++) {
      if (taskIndex[s * dims.B + i] != g) { continue; }
      let at = (s * dims.B + i) * 12u;
      n += sums[at];
      wins += sums[at + 1u];
      long += sums[at + 2u];
      some = max(some, sums[at + 3u]);
      let mean = vec4f(sums[at + 4u], sums[at + 5u], sums[at + 6u], sums[at + 7u]);
      let squares = vec4f(sums[at + 8u], sums[at + 9u], sums[at + 10u], sums[at + 11u]);
      steps = joined(steps, Moments(mean, squares));
    }
    if (n == 0.0) { continue; }
    a += vec4f(some, select(0.0, 1.0, wins > 0.0 && wins < n), select(0.0, 1.0, wins == n), select(0.0, 1.0, wins == 0.0));
    b += vec4f(1.0, n, wins, long);
  }
  kinds[local] = a;
  who[local] = b;
  moments[local] = steps;
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (local < half) {
      kinds[local] += kinds[local + half];
      who[local] += who[local + half];
      moments[local] = joined(moments[local], moments[local + half]);
    }
    workgroupBarrier();
  }
  if (local != 0u) { return; }
  let at = s * 16u;
  let members = who[0];
  for (var k = 0u; k < 4u; k++) { record[at + k] = kinds[0][k] / members.x; }
  let n = moments[0].mean.x;
  let mean = moments[0].mean;
  let squares = moments[0].squares;
  record[at + 4u] = mean.y;
  record[at + 5u] = sqrt(squares.y / max(n - 1.0, 1.0));
  record[at + 6u] = squares.x / n;
  record[at + 7u] = select(-1.0, members.w / max(members.z, 1.0), members.z > 0.0);
  let fails = members.y - members.z;
  record[at + 8u] = select(-1.0, (n - members.w) / max(fails, 1.0), fails > 0.0);
  // equal targets have no distance from their mean at all
  let spread = squares.z / n;
  record[at + 9u] = 1.0 - squares.w / max(squares.z, 1.0e-30);
  record[at + 10u] = select(0.0, spread, spread > 1.0e-20 * mean.z * mean.z);
  record[at + 11u] = members.y;
}
