// d[t] = r[t] + gamma·V[t+1] − V[t]. V beyond the last step: 0 if the row terminated; if it was cut, by `cut`
// 0 nothing, 1 valueFinal (bootstrap), 2 V of the last state that was acted in. Padding is 0. One invocation per step.
//
// r, V, d : [rows, cols]     ending : [rows, 4], the second word says terminated     length : [rows]
// last : [S, maxRows, n] outputs of the network on the last states, the last column is V, of two values the last two; replica = row / B

struct Dims { rows : u32, cols : u32, B : u32, maxRows : u32, n : u32, values : u32, gamma : f32, cut : u32 }

@group(0) @binding(0) var<uniform>             dims       : Dims;
@group(0) @binding(1) var<storage, read>       r          : array<f32>;
@group(0) @binding(2) var<storage, read>       V          : array<f32>;
@group(0) @binding(3) var<storage, read>       last       : array<f32>;
@group(0) @binding(4) var<storage, read>       ending     : array<u32>;
@group(0) @binding(5) var<storage, read>       length     : array<u32>;
@group(0) @binding(6) var<storage, read_write> d          : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.rows * dims.cols) { return; }
  let row = id / dims.cols;
  let t = id % dims.cols;
  if (t >= length[row]) { d[id] = 0.0; return; }
  var next = 0.0;
  if (t + 1u < length[row]) { next = V[id + 1u]; }
  else if (ending[4u * row + 1u] == 0u && dims.cut == 1u) {
    let end = ((row / dims.B) * dims.maxRows + row % dims.B + 1u) * dims.n;
    next = last[end - 1u];
    if (dims.values == 2u) { next = softMin(last[end - 2u], next); }
  } else if (ending[4u * row + 1u] == 0u && dims.cut == 2u) { next = V[id]; }
  d[id] = r[id] + dims.gamma * next - V[id];
}
