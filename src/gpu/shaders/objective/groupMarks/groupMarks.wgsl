// Marks of an objective whose credit is the return of an episode above the mean of the policy's own episodes of its task. One
// invocation per trajectory, whose steps are one unit each. Linked after what the objective says:
//   markOf(A, sum, logp, delta, isShown) -> f32     the mark of a unit; sum: of Δ over its trajectory; isShown: its action was
//                                                   given, not chosen by the policy
// Steps that are not looked at have the mark `empty`, and those of tasks without an own episode 0.
//
// plan : [S, B, 2] = weight, length     stats : see coefficients
// sampled : [S, B, T] log π_old, then sections that are not read
// outcome, taskIndex : [S, B]     own : [S, B] lengths, 0 where the actions are given; or all lengths
// credit : at `marksAt` the marks, written here

// block: see ratioStats
struct Dims { B : u32, T : u32, block : u32, marksAt : u32, empty : f32 }

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       plan      : array<f32>;
@group(0) @binding(2) var<storage, read>       stats     : array<f32>;
@group(0) @binding(3) var<storage, read>       sampled   : array<f32>;
@group(0) @binding(4) var<storage, read>       outcome   : array<f32>;
@group(0) @binding(5) var<storage, read>       taskIndex : array<u32>;
@group(0) @binding(6) var<storage, read>       own       : array<u32>;
@group(0) @binding(7) var<storage, read_write> credit    : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = group.x * 64u + local;
  if (i >= dims.B) { return; }
  let row = group.z * dims.B + i;
  let task = taskIndex[row];
  let isAnywhere = dims.block == dims.B;
  let first = group.z * dims.B + select(min(task * dims.block, dims.B), 0u, isAnywhere);
  let end = group.z * dims.B + select(min(task * dims.block + dims.block, dims.B), dims.B, isAnywhere);
  var sum = vec2f();
  for (var k = first; k < end; k++) {
    if (plan[2u * k] != 0.0 && taskIndex[k] == task && own[k] != 0u) { sum += vec2f(outcome[k], 1.0); }
  }
  let A = outcome[row] - sum.x / max(sum.y, 1.0);
  let n = select(0u, u32(plan[2u * row + 1u]), plan[2u * row] != 0.0);
  var moved = 0.0;
  for (var t = 0u; t < n; t++) { moved += stats[6u * (row * dims.T + t) + 4u]; }
  for (var t = 0u; t < n; t++) {
    let step = row * dims.T + t;
    let delta = stats[6u * step + 4u];
    var mark = 0.0;
    if (sum.y > 0.0) { mark = markOf(A, moved, sampled[step] + delta, delta, own[row] == 0u); }
    credit[dims.marksAt + step] = mark;
  }
  for (var t = n; t < dims.T; t++) { credit[dims.marksAt + row * dims.T + t] = dims.empty; }
}
