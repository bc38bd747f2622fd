// The set of keep.wgsl under the softmax of the legal logits, for step t. One invocation per trajectory; those that have
// ended write nothing.
//
//   main     narrows the legal bits
//   restore  behind the decision, where training does not know of the set: they are what they were
//
// logits : [S, maxRows, n], row = trajectory     length : [S, B]

struct Dims { B : u32, T : u32, t : u32, actions : u32, n : u32, maxRows : u32, minKeep : u32, topP : f32, inverse : f32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       logits : array<f32>;
@group(0) @binding(2) var<storage, read>       length : array<u32>;
@group(0) @binding(3) var<storage, read_write> choice : array<u32>;
@group(0) @binding(4) var<storage, read_write> before : array<u32>;
@group(0) @binding(5) var<storage, read_write> counts : array<atomic<u32>>;

const NONE = 0xffffffffu;

/// Row of an invocation whose trajectory plays step t, or none.
fn rowOf(group : vec3u, local : u32) -> u32 {
  let i = group.x * 64u + local;
  if (i >= dims.B) { return NONE; }
  let row = group.z * dims.B + i;
  return select(row, NONE, length[row] != 0u);
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let row = rowOf(group, local);
  if (row == NONE) { return; }
  let s = group.z;
  let step = row * dims.T + dims.t;
  let at = (s * dims.maxRows + row - s * dims.B) * dims.n;
  let legal = legalAt(step);
  var top = -3.0e38;
  for (var b = 0u; b < dims.actions; b++) {
    if (((legal >> b) & 1u) == 1u) { top = max(top, logits[at + b] * dims.inverse); }
  }
  var total = 0.0;
  for (var b = 0u; b < dims.actions; b++) {
    p[b] = 0.0;
    if (((legal >> b) & 1u) == 1u) {
      p[b] = exp(logits[at + b] * dims.inverse - top);
      total += p[b];
    }
  }
  for (var b = 0u; b < dims.actions; b++) { p[b] /= total; }
  narrow(s, row, step);
}

@compute @workgroup_size(64)
fn restore(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let row = rowOf(group, local);
  if (row != NONE) { choice[row * dims.T + dims.t] = before[row]; }
}
