// Mean and divisor of every set of steps, at the place of its first step: (x − mean)/divisor normalizes. Divisor: std +
// 1e-6, or 1 (modes 1 and 2); 0 where the set cannot be compared, because it has one member or all agree. std over
// n − 1, or over n. Places that are no first step stay as they are. One invocation per step; only first steps work, each
// adding up its members in order.
//
// x, head : [S, B, T]     stats : [S, B, T, 2]     head of keyMatch or contextMatch: the first step of a set is its own

// block: the rows of a task lie in one block of so many rows; B where they may lie anywhere.
struct Dims { B : u32, T : u32, block : u32, mode : u32, population : u32 }

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       x         : array<f32>;
@group(0) @binding(2) var<storage, read>       head      : array<u32>;
@group(0) @binding(3) var<storage, read>       length    : array<u32>;
@group(0) @binding(4) var<storage, read>       taskIndex : array<u32>;
@group(0) @binding(5) var<storage, read_write> stats     : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.B * dims.T) { return; }
  let s = group.z;
  let row = s * dims.B + id / dims.T;
  let k = row * dims.T + id % dims.T;
  if (id % dims.T >= length[row] || head[k] != id) { return; }
  let end = min(dims.B, (id / dims.T / dims.block + 1u) * dims.block);
  var n = 0.0;
  var sum = 0.0;
  var low = 3.0e38;
  var high = -3.0e38;
  for (var j = id / dims.T; j < end; j++) {
    let other = s * dims.B + j;
    if (taskIndex[other] != taskIndex[row]) { continue; }
    for (var u = 0u; u < length[other]; u++) {
      let at = other * dims.T + u;
      if (head[at] == id) {
        n += 1.0;
        sum += x[at];
        low = min(low, x[at]);
        high = max(high, x[at]);
      }
    }
  }
  let mean = sum / n;
  stats[2u * k] = mean;
  if (n < 2.0 || high - low <= 1.0e-5 * max(1.0, max(abs(low), abs(high)))) { stats[2u * k + 1u] = 0.0; return; }
  if (dims.mode != 0u) { stats[2u * k + 1u] = 1.0; return; }
  var squares = 0.0;
  for (var j = id / dims.T; j < end; j++) {
    let other = s * dims.B + j;
    if (taskIndex[other] != taskIndex[row]) { continue; }
    for (var u = 0u; u < length[other]; u++) {
      let at = other * dims.T + u;
      if (head[at] == id) { squares += (x[at] - mean) * (x[at] - mean); }
    }
  }
  stats[2u * k + 1u] = sqrt(squares / select(n - 1.0, n, dims.population == 1u)) + 1.0e-6;
}
