// How the mean of −log σ(y of the winner − y of the loser) over the decided pairs of a batch, see ranking.wgsl, changes with what a
// model says of each row, a share of 1/n of it in each of the n states of the row. `error`, where `first` is 1: the share of these
// pairs that it ranks wrong, `none` where there are none; then `rests` is 1, as there is nothing to learn. One workgroup per
// replica; ranking.wgsl and total.wgsl are linked.
//
// y, taskIndex : [S, B]     z : [S, B, 3]     slope : [S, B, T+1]     error, rests : [S]

struct Dims { B : u32, T : u32, block : u32, k0 : u32, k1 : u32, k2 : u32, sigma : f32, first : u32, none : f32 }

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       length    : array<u32>;
@group(0) @binding(2) var<storage, read>       y         : array<f32>;
@group(0) @binding(3) var<storage, read>       z         : array<f32>;
@group(0) @binding(4) var<storage, read>       taskIndex : array<u32>;
@group(0) @binding(5) var<storage, read_write> slope     : array<f32>;
@group(0) @binding(6) var<storage, read_write> error     : array<f32>;
@group(0) @binding(7) var<storage, read_write> rests     : array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  let width = dims.T + 1u;
  var decided = 0.0;
  var right = 0.0;
  for (var row = s * dims.B + local; row < (s + 1u) * dims.B; row += 64u) {
    let block = blockOf(row);
    let margin = marginOf(row);
    var own = 0.0;
    for (var j = block.x; j < block.y; j++) {
      if (j == row || taskIndex[j] != taskIndex[row]) { continue; }
      let d = wishesOf(row) - wishesOf(j);
      let level = levelOf(d, margin.xyz);
      if (level == 3u) { continue; }
      let wins = d[level] > 0.0;
      let gap = select(y[j] - y[row], y[row] - y[j], wins);
      let wrong = 1.0 / (1.0 + exp(clamp(gap, -80.0, 80.0)));
      own += select(wrong, -wrong, wins);
      if (j > row) {
        decided += 1.0;
        right += select(0.0, 1.0, gap > 0.0);
      }
    }
    slope[row * width] = own;
  }
  decided = totalOf(local, decided);
  right = totalOf(local, right);
  for (var row = s * dims.B + local; row < (s + 1u) * dims.B; row += 64u) {
    let n = length[row] + 1u;
    let own = slope[row * width] / (max(1.0, decided) * f32(n));
    for (var t = 0u; t < width; t++) { slope[row * width + t] = select(0.0, own, t < n); }
  }
  if (local > 0u) { return; }
  rests[s] = select(0u, 1u, decided == 0.0);
  if (dims.first == 1u) { error[s] = select(1.0 - right / max(1.0, decided), dims.none, decided == 0.0); }
}
