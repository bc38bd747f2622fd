// Where the credit of a batch lies, whether its task groups succeeded, and how far the critic was off. Trajectories of length 0 do
// not count. Spreads as squared distances from the mean so far (Welford), joined as Chan, Golub and LeVeque do, so that a small one
// far from 0 keeps its digits. Linked with tree.wgsl and steps.wgsl.
//
// length : [S, B]     ending : [S, B, 4], the first number is the success     credit : [2][S, B, T] = A, target
// sampled : [3][S, B, T], the third part is V     taskIndex : [S, B]
// sums : [S, B], written here: steps of each trajectory with |A| > 1e-8
// record : [S, 16] = shares of groups with some credit, with both outcomes, all solved, all failed; mean, sample std of A,
//          share of steps with A > 0; mean length of successes, of failures (−1 without any); 1 − Var(target − V)/Var(target),
//          Var(target) over the steps, trajectories; the others are left alone

// block: the rows of a task lie in one block of this many rows, in the order of tasks; B where they may lie anywhere
struct Dims { B : u32, lanes : u32, pieces : u32, T : u32, P : u32, block : u32, floatSection : u32 }

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       length    : array<u32>;
@group(0) @binding(2) var<storage, read>       ending    : array<u32>;
@group(0) @binding(3) var<storage, read>       credit    : array<f32>;
@group(0) @binding(4) var<storage, read>       sampled   : array<f32>;
@group(0) @binding(5) var<storage, read>       taskIndex : array<u32>;
@group(0) @binding(6) var<storage, read_write> sums      : array<f32>;
@group(0) @binding(7) var<storage, read_write> record    : array<f32>;

struct Sums {
  /// steps; means of A, target, target − V
  mean    : vec4f,
  /// steps with A > 0; squared distances from the means
  squares : vec4f,
  /// steps with credit; or groups with some credit, with both outcomes, all solved, all failed
  kinds   : vec4f,
  /// groups, trajectories, successes, steps of these
  who     : vec4f,
}

fn merge(a : Sums, b : Sums) -> Sums {
  var both = Sums(b.mean, a.squares + b.squares, a.kinds + b.kinds, a.who + b.who);
  if (a.mean.x == 0.0) { return both; }
  let n = a.mean.x + b.mean.x;
  let share = b.mean.x / n;
  let far = b.mean.yzw - a.mean.yzw;
  both.mean = vec4f(n, a.mean.yzw + far * share);
  both.squares += vec4f(0.0, far * far * (a.mean.x * share));
  return both;
}

fn add(s : u32, i : u32, from_ : u32, by : u32) -> Sums {
  let row = s * dims.B + i;
  var now = Sums();
  for (var t = from_; t < length[row]; t += by) {
    let k = row * dims.T + t;
    let A = credit[k];
    let target_ = credit[dims.floatSection + k];
    let x = vec3f(A, target_, target_ - sampled[2u * dims.floatSection + k]);
    // a division by 1 need not be exact
    if (t == from_) { now.mean = vec4f(0.0, x); }
    now.mean.x += 1.0;
    let d = x - now.mean.yzw;
    let mean = now.mean.yzw + d / now.mean.x;
    now.mean = vec4f(now.mean.x, mean);
    now.squares += vec4f(f32(A > 0.0), d * (x - mean));
    now.kinds.x += f32(abs(A) > 1.0e-8);
  }
  return now;
}

fn whole(all : Sums, s : u32, i : u32) -> Sums {
  sums[s * dims.B + i] = all.kinds.x;
  return all;
}

/// Of group g: what kind it is, and who is in it.
fn groupOf(s : u32, g : u32) -> Sums {
  var who = vec4f(1.0, 0.0, 0.0, 0.0);
  var some = 0.0;
  let isAnywhere = dims.block == dims.B;
  let begin = select(g * dims.block, 0u, isAnywhere);
  let end = select(min(g * dims.block + dims.block, dims.B), dims.B, isAnywhere);
  for (var i = begin; i < end; i++) {
    let row = s * dims.B + i;
    if (taskIndex[row] != g || length[row] == 0u) { continue; }
    let win = f32(ending[4u * row]);
    who += vec4f(0.0, 1.0, win, win * f32(length[row]));
    some += sums[row];
  }
  if (who.y == 0.0) { return Sums(); }
  let isAll = who.z == who.y;
  let isNone = who.z == 0.0;
  return Sums(vec4f(), vec4f(), vec4f(f32(some > 0.0), f32(!isAll && !isNone), f32(isAll), f32(isNone)), who);
}

fn finish(s : u32, local : u32, all : Sums) {
  // one workgroup has just written the sums of the rows
  storageBarrier();
  var own = Sums();
  for (var g = local; g < dims.P; g += LANES) { own = merge(own, groupOf(s, g)); }
  let groups = treeOf(local, own);
  if (local != 0u) { return; }
  let at = s * 16u;
  let members = groups.who;
  for (var k = 0u; k < 4u; k++) { record[at + k] = groups.kinds[k] / members.x; }
  let n = all.mean.x;
  let mean = all.mean;
  let squares = all.squares;
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
