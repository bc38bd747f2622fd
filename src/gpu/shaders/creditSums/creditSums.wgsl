// What the sums of the trajectories say about the batch and its task groups, each a block of rows. One workgroup per replica,
// 64 partial sums over every 64th group, then a fixed tree.
//
// sums : [S, B, 12] of rowSums
// record : [S, 16] = shares of groups with some credit, with both outcomes, all solved, all failed; mean, sample std of A,
//          share of steps with A > 0; mean length of successes, of failures (−1 without any); 1 − Var(target − V)/Var(target),
//          Var(target) over the steps, trajectories; the others are left alone

// G: the rows of a task lie in one block of so many rows
struct Dims { B : u32, P : u32, G : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       sums   : array<f32>;
@group(0) @binding(2) var<storage, read_write> record : array<f32>;

var<workgroup> kinds  : array<vec4f, 64>;
var<workgroup> who    : array<vec4f, 64>;
var<workgroup> where_ : array<vec4f, 64>;
var<workgroup> critic : array<vec4f, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  var a = vec4f();
  var b = vec4f();
  var c = vec4f();
  var d = vec4f();
  for (var g = local; g < dims.P; g += 64u) {
    var n = 0.0;
    var wins = 0.0;
    var long = 0.0;
    var some = 0.0;
    let end = min(g * dims.G + dims.G, dims.B);
    for (var i = g * dims.G; i < end; i++) {
      let at = (s * dims.B + i) * 12u;
      n += sums[at];
      wins += sums[at + 1u];
      long += sums[at + 2u];
      some = max(some, sums[at + 3u]);
      for (var k = 0u; k < 4u; k++) {
        c[k] += sums[at + 4u + k];
        d[k] += sums[at + 8u + k];
      }
    }
    if (n == 0.0) { continue; }
    a += vec4f(some, select(0.0, 1.0, wins > 0.0 && wins < n), select(0.0, 1.0, wins == n), select(0.0, 1.0, wins == 0.0));
    b += vec4f(1.0, n, wins, long);
  }
  kinds[local] = a;
  who[local] = b;
  where_[local] = c;
  critic[local] = d;
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (local < half) {
      kinds[local] += kinds[local + half];
      who[local] += who[local + half];
      where_[local] += where_[local + half];
      critic[local] += critic[local + half];
    }
    workgroupBarrier();
  }
  if (local != 0u) { return; }
  let at = s * 16u;
  let members = who[0];
  for (var k = 0u; k < 4u; k++) { record[at + k] = kinds[0][k] / members.x; }
  let steps = where_[0].x;
  let mean = where_[0].y / steps;
  record[at + 4u] = mean;
  record[at + 5u] = sqrt(max(0.0, where_[0].z - steps * mean * mean) / max(steps - 1.0, 1.0));
  record[at + 6u] = where_[0].w / steps;
  record[at + 7u] = select(-1.0, members.w / max(members.z, 1.0), members.z > 0.0);
  let fails = members.y - members.z;
  record[at + 8u] = select(-1.0, (steps - members.w) / max(fails, 1.0), fails > 0.0);
  let x = critic[0] / steps;
  // a constant target leaves a rest of rounding
  let rest = x.y - x.x * x.x;
  let spread = select(0.0, rest, rest > 1.0e-6 * x.x * x.x);
  record[at + 9u] = 1.0 - max(0.0, x.w - x.z * x.z) / max(spread, 1.0e-30);
  record[at + 10u] = spread;
  record[at + 11u] = members.y;
}
