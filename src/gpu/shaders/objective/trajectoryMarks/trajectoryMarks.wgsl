// The marks of an objective that needs no more than the units of a trajectory for them. One invocation per trajectory, whose
// steps are one unit each. Linked after what the objective says:
//   termOf(A, delta) -> vec2f       what is summed over its n units
//   markOf(sum, n, A) -> f32        the mark of each
// Trajectories without a weight have marks 0.
//
// plan : [S, B, 2] = weight, length     stats : see coefficients
// credit : [S, B, T] A, and at `marksAt` the marks, written here

struct Dims { B : u32, T : u32, marksAt : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       plan   : array<f32>;
@group(0) @binding(2) var<storage, read>       stats  : array<f32>;
@group(0) @binding(3) var<storage, read_write> credit : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = group.x * 64u + local;
  if (i >= dims.B) { return; }
  let row = group.z * dims.B + i;
  let from_ = row * dims.T;
  let n = u32(plan[2u * row + 1u]);
  let isIn = plan[2u * row] != 0.0;
  var sum = vec2f();
  for (var t = 0u; isIn && t < n; t++) { sum += termOf(credit[from_ + t], stats[6u * (from_ + t) + 4u]); }
  for (var t = 0u; t < n; t++) {
    var mark = 0.0;
    if (isIn) { mark = markOf(sum, f32(n), credit[from_ + t]); }
    credit[dims.marksAt + from_ + t] = mark;
  }
}
