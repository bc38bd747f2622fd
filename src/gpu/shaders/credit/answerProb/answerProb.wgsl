// p[row, t] = π(true answer)/Σ π(answers) before step t; after the last step whether the answer was right, or where the episode
// was cut, what stood before that step. 0 beyond. One invocation per state. Answers are the actions from `first` on.
//
// probs : [rows, cols, actions]     truth : [rows], 0 … answers − 1     ending : [rows, 4] = success, terminated, …

struct Dims { rows : u32, cols : u32, actions : u32, first : u32, answers : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       probs  : array<f32>;
@group(0) @binding(2) var<storage, read>       truth  : array<u32>;
@group(0) @binding(3) var<storage, read>       length : array<u32>;
@group(0) @binding(4) var<storage, read>       ending : array<u32>;
@group(0) @binding(5) var<storage, read_write> p      : array<f32>;

fn before(row : u32, t : u32) -> f32 {
  let at = (row * dims.cols + t) * dims.actions + dims.first;
  var all = 0.0;
  for (var m = 0u; m < dims.answers; m++) { all += probs[at + m]; }
  if (all > 0.0) { return probs[at + truth[row]] / all; }
  return 0.0;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.rows * (dims.cols + 1u)) { return; }
  let row = id / (dims.cols + 1u);
  let t = id - row * (dims.cols + 1u);
  let long = length[row];
  p[id] = 0.0;
  if (t < long) { p[id] = before(row, t); return; }
  if (t > long) { return; }
  if (ending[4u * row + 1u] == 1u) { p[id] = f32(ending[4u * row]); } else { p[id] = before(row, long - 1u); }
}
