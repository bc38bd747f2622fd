// Net wins of each row among those of its segment, see ranking.wgsl. `rows`, one invocation per row: wins = (wins − losses)/(n − 1),
// 0 for a row alone, and how many of the pairs with later rows each wish decided, and none. `join`, one workgroup per replica:
// these as shares of all pairs.
//
// z : [S, B, 3]     wins : [S, B]     counts : [S, B, 4]     decided : [S, 4]

struct Dims { B : u32, block : u32, k0 : u32, k1 : u32, k2 : u32, sigma : f32 }

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       z         : array<f32>;
@group(0) @binding(2) var<storage, read>       taskIndex : array<u32>;
@group(0) @binding(3) var<storage, read_write> wins      : array<f32>;
@group(0) @binding(4) var<storage, read_write> counts    : array<f32>;
@group(0) @binding(5) var<storage, read_write> decided   : array<f32>;

@compute @workgroup_size(64)
fn rows(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = group.x * 64u + local;
  if (i >= dims.B) { return; }
  let row = group.z * dims.B + i;
  let block = blockOf(row);
  let margin = marginOf(row);
  var net = 0.0;
  var by = vec4f();
  for (var j = block.x; j < block.y; j++) {
    if (j == row || taskIndex[j] != taskIndex[row]) { continue; }
    let d = wishesOf(row) - wishesOf(j);
    let level = levelOf(d, margin.xyz);
    if (level < 3u) { net += sign(d[level]); }
    if (j > row) { by[level] += 1.0; }
  }
  wins[row] = net / max(1.0, margin.w - 1.0);
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
