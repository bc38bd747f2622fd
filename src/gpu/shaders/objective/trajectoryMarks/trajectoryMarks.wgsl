// The marks of an objective that needs no more than the units of a trajectory for them. One invocation per trajectory, whose
// steps are one unit each. Linked after what the objective says:
//   termOf(A, delta) -> vec2f           what is summed over its n units
//   markOf(sum, n, A, delta) -> f32     the mark of each
// Steps that are not looked at, as their trajectory has no weight or ends before them, have the mark `empty`.
//
// plan : [S, B, 2] = weight, length     stats : see coefficients; with `still` 1 no log-probability has changed: Δ = 0
// credit : [S, B, T] A, and at `marksAt` the marks, written here

struct Dims { B : u32, T : u32, marksAt : u32, still : u32, empty : f32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       plan   : array<f32>;
@group(0) @binding(2) var<storage, read>       stats  : array<f32>;
@group(0) @binding(3) var<storage, read_write> credit : array<f32>;

fn deltaAt(step : u32) -> f32 {
  if (dims.still == 1u) { return 0.0; }
  return stats[6u * step + 4u];
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = group.x * 64u + local;
  if (i >= dims.B) { return; }
  let row = group.z * dims.B + i;
  let from_ = row * dims.T;
  let n = select(0u, u32(plan[2u * row + 1u]), plan[2u * row] != 0.0);
  var sum = vec2f();
  for (var t = 0u; t < n; t++) { sum += termOf(credit[from_ + t], deltaAt(from_ + t)); }
  for (var t = 0u; t < n; t++) {
    credit[dims.marksAt + from_ + t] = markOf(sum, f32(n), credit[from_ + t], deltaAt(from_ + t));
  }
  for (var t = n; t < dims.T; t++) { credit[dims.marksAt + from_ + t] = dims.empty; }
}
