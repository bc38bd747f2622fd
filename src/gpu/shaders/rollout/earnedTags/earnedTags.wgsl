// y[row, t] = 1 where a step was what its tag says, else 0. One invocation per step.
//
//   plan: the episode succeeds     explore: the step is new     reflect: the step before was refused, and the action differs
//
// A refused step has no tag. New: it led to a state that the row had not seen; with `byAction`, the row had not done the
// same before where it was possible.
//
// tag, did, invalid, novel : [rows, cols]     ending : [rows, 4] = success, …

struct Dims { rows : u32, cols : u32, byAction : u32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       tag     : array<f32>;
@group(0) @binding(2) var<storage, read>       did     : array<f32>;
@group(0) @binding(3) var<storage, read>       invalid : array<f32>;
@group(0) @binding(4) var<storage, read>       novel   : array<f32>;
@group(0) @binding(5) var<storage, read>       length  : array<u32>;
@group(0) @binding(6) var<storage, read>       ending  : array<u32>;
@group(0) @binding(7) var<storage, read_write> y       : array<f32>;

const PLAN = 1.0;
const EXPLORE = 2.0;
const REFLECT = 3.0;

fn isNew(first : u32, k : u32) -> bool {
  if (dims.byAction == 0u) { return novel[k] == 1.0; }
  for (var j = first; j < k; j++) {
    if (invalid[j] != 1.0 && did[j] == did[k]) { return false; }
  }
  return true;
}

fn earns(row : u32, k : u32) -> bool {
  let first = row * dims.cols;
  if (invalid[k] == 1.0) { return false; }
  if (tag[k] == PLAN) { return ending[4u * row] == 1u; }
  if (tag[k] == EXPLORE) { return isNew(first, k); }
  if (tag[k] != REFLECT || k == first) { return false; }
  return invalid[k - 1u] == 1.0 && did[k] != did[k - 1u];
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let k = (group.x + group.y * 65535u) * 64u + local;
  if (k >= dims.rows * dims.cols) { return; }
  let row = k / dims.cols;
  y[k] = 0.0;
  if (k % dims.cols < length[row] && earns(row, k)) { y[k] = 1.0; }
}
