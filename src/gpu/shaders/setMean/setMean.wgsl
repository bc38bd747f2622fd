// Mean of x over all steps with the same head, written to each of them; 0 for steps in no set. With `once` every
// trajectory counts once per set, at its first visit. One invocation per step; every member sums its set in the same order.
//
// x, y : [S, B, T]     head : [S, B, T] of keyMatch or contextMatch

// block: the rows of a task lie in one block of so many rows; B where they may lie anywhere.
struct Dims { B : u32, T : u32, block : u32, once : u32 }

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
  let end = min(dims.B, (mine / dims.T / dims.block + 1u) * dims.block);
  for (var j = mine / dims.T; j < end; j++) {
    let other = s * dims.B + j;
    if (taskIndex[other] != taskIndex[row]) { continue; }
    for (var u = 0u; u < length[other]; u++) {
      let at = other * dims.T + u;
      if (head[at] == mine) {
        n += 1.0;
        sum += x[at];
        if (dims.once == 1u) { break; }
      }
    }
  }
  y[k] = sum / n;
}
