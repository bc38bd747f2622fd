// The marks of an objective that looks at the next step of a trajectory. One invocation per step, which is one unit. Linked
// after what the objective says:
//   markOf(A, change) -> f32     change = m(π_θ) − m(π_old) at the next step, 0 after the last; m: mean of log π over legal actions
// Steps that are not looked at have the mark `empty`. Outputs lie at their steps, as in looks that go over no list.
//
// plan : [S, B, 2] = weight, length     choice : [S, B, T] legal bits, then sections that are not read
// out : [S, B, T, n] logits, then values     probs : [S, B, T, actions] of the policy that sampled
// credit : [S, B, T] A, and at `marksAt` the marks, written here

struct Dims { B : u32, T : u32, actions : u32, n : u32, marksAt : u32, inverse : f32, empty : f32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       plan   : array<f32>;
@group(0) @binding(2) var<storage, read>       choice : array<u32>;
@group(0) @binding(3) var<storage, read>       out    : array<f32>;
@group(0) @binding(4) var<storage, read>       probs  : array<f32>;
@group(0) @binding(5) var<storage, read_write> credit : array<f32>;

/// the smallest probability that an f32 holds with all its digits
const LEAST = 1.17549435e-38;

fn changeAt(step : u32) -> f32 {
  let legal = choice[step];
  let z = step * dims.n;
  var top = -3.0e38;
  for (var c = 0u; c < dims.actions; c++) {
    if (((legal >> c) & 1u) != 0u) { top = max(top, out[z + c] * dims.inverse); }
  }
  var total = 0.0;
  for (var c = 0u; c < dims.actions; c++) {
    if (((legal >> c) & 1u) != 0u) { total += exp(out[z + c] * dims.inverse - top); }
  }
  let logZ = top + log(total);
  // bits of other things than actions do not count
  var sum = vec2f();
  for (var c = 0u; c < dims.actions; c++) {
    if (((legal >> c) & 1u) == 0u) { continue; }
    let old = log(max(probs[step * dims.actions + c], LEAST));
    sum += vec2f(max(out[z + c] * dims.inverse - logZ, log(LEAST)) - old, 1.0);
  }
  return sum.x / sum.y;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = group.x * 64u + local;
  if (id >= dims.B * dims.T) { return; }
  let step = group.z * dims.B * dims.T + id;
  let row = step / dims.T;
  let n = select(0u, u32(plan[2u * row + 1u]), plan[2u * row] != 0.0);
  let t = id % dims.T;
  var mark = dims.empty;
  if (t < n) {
    var change = 0.0;
    if (t + 1u < n) { change = changeAt(step + 1u); }
    mark = markOf(credit[step], change);
  }
  credit[dims.marksAt + step] = mark;
}
