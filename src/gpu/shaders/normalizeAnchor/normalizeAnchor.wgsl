// Normalize over sets: y = (x − mean)/(std + 1e-6), or x − mean (mode 1), over all steps with the same head; mode 2: 1
// where the set can be compared. Sets of one, sets that agree and steps in no set are exactly 0. std over n − 1, or over n. One invocation per step; every member sums its group in the same
// order, so all members use the same bits.
//
// x, y : [S, B, T]     head : [S, B, T] of keyMatch or contextMatch

struct Dims { B : u32, T : u32, mode : u32, population : u32 }

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       x         : array<f32>;
@group(0) @binding(2) var<storage, read>       head      : array<u32>;
@group(0) @binding(3) var<storage, read>       length    : array<u32>;
@group(0) @binding(4) var<storage, read>       taskIndex : array<u32>;
@group(0) @binding(5) var<storage, read_write> y         : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.B * dims.T) { return; }
  let s = group.z;
  let row = s * dims.B + id / dims.T;
  let k = row * dims.T + id % dims.T;
  y[k] = 0.0;
  if (id % dims.T >= length[row] || head[k] == 0xffffffffu) { return; }
  let mine = head[k];
  var n = 0.0;
  var sum = 0.0;
  var low = 3.0e38;
  var high = -3.0e38;
  for (var j = mine / dims.T; j < dims.B; j++) {
    let other = s * dims.B + j;
    if (taskIndex[other] != taskIndex[row]) { continue; }
    for (var u = 0u; u < length[other]; u++) {
      let at = other * dims.T + u;
      if (head[at] == mine) {
        n += 1.0;
        sum += x[at];
        low = min(low, x[at]);
        high = max(high, x[at]);
      }
    }
  }
  if (n < 2.0 || high - low <= 1.0e-5 * max(1.0, max(abs(low), abs(high)))) { return; }
  if (dims.mode == 2u) { y[k] = 1.0; return; }
  let mean = sum / n;
  if (dims.mode == 1u) { y[k] = x[k] - mean; return; }
  var squares = 0.0;
  for (var j = mine / dims.T; j < dims.B; j++) {
    let other = s * dims.B + j;
    if (taskIndex[other] != taskIndex[row]) { continue; }
    for (var u = 0u; u < length[other]; u++) {
      let at = other * dims.T + u;
      if (head[at] == mine) { squares += (x[at] - mean) * (x[at] - mean); }
    }
  }
  y[k] = (x[k] - mean) / (sqrt(squares / select(n - 1.0, n, dims.population == 1u)) + 1.0e-6);
}
