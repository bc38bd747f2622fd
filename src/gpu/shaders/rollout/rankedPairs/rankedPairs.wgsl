// Which row of each pair of a segment wins: the first of three wishes, in the order at hand, in which they differ by more than σ
// times its spread (over n − 1) in the segment decides. `rows`, one invocation per row: wins = (wins − losses)/(n − 1), 0 for a
// row alone, and how many of the pairs with later rows each wish decided, and none. `join`, one workgroup per replica: these as
// shares of all pairs.
//
// z : [S, B, 3]     wins : [S, B]     counts : [S, B, 4]     decided : [S, 4]

// block: the rows of a segment lie in one block of this many rows; B where they may lie anywhere
struct Dims { B : u32, block : u32, k0 : u32, k1 : u32, k2 : u32, sigma : f32 }

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       z         : array<f32>;
@group(0) @binding(2) var<storage, read>       taskIndex : array<u32>;
@group(0) @binding(3) var<storage, read_write> wins      : array<f32>;
@group(0) @binding(4) var<storage, read_write> counts    : array<f32>;
@group(0) @binding(5) var<storage, read_write> decided   : array<f32>;

fn at(row : u32) -> vec3f { return vec3f(z[3u * row + dims.k0], z[3u * row + dims.k1], z[3u * row + dims.k2]); }

@compute @workgroup_size(64)
fn rows(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = group.x * 64u + local;
  if (i >= dims.B) { return; }
  let row = group.z * dims.B + i;
  let begin = row - i % dims.block;
  let end = min(begin + dims.block, (group.z + 1u) * dims.B);
  var n = 0.0;
  var sum = vec3f();
  for (var j = begin; j < end; j++) {
    if (taskIndex[j] == taskIndex[row]) {
      n += 1.0;
      sum += at(j);
    }
  }
  var squares = vec3f();
  for (var j = begin; j < end; j++) {
    if (taskIndex[j] == taskIndex[row]) {
      let d = at(j) - sum / n;
      squares += d * d;
    }
  }
  let margin = dims.sigma * dims.sigma * squares / max(1.0, n - 1.0);
  var net = 0.0;
  var by = vec4f();
  for (var j = begin; j < end; j++) {
    if (j == row || taskIndex[j] != taskIndex[row]) { continue; }
    let d = at(row) - at(j);
    let clear = d * d > margin;
    let level = select(select(select(3u, 2u, clear.z), 1u, clear.y), 0u, clear.x);
    if (level < 3u) { net += sign(d[level]); }
    if (j > row) { by[level] += 1.0; }
  }
  wins[row] = net / max(1.0, n - 1.0);
  for (var k = 0u; k < 4u; k++) { counts[4u * row + k] = by[k]; }
}

var<workgroup> sums : array<vec4f, 64>;

@compute @workgroup_size(64)
fn join(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  var mine = vec4f();
  for (var i = local; i < dims.B; i += 64u) {
    let k = 4u * (s * dims.B + i);
    mine += vec4f(counts[k], counts[k + 1u], counts[k + 2u], counts[k + 3u]);
  }
  sums[local] = mine;
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (local < half) { sums[local] += sums[local + half]; }
    workgroupBarrier();
  }
  if (local >= 4u) { return; }
  let all = sums[0];
  decided[4u * s + local] = all[local] / max(1.0, all.x + all.y + all.z + all.w);
}
