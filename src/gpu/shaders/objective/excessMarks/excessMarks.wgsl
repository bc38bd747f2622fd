// Marks the units of a minibatch with the largest excess above 1: 0, the others 1; steps that are not looked at have the mark
// LEFT_OUT. Of equal ones the earlier counts as the larger, and a unit with a credit or a Δ that is no number stays. One workgroup
// per replica. Outputs lie at their steps, as in looks that go over no list. Linked after stretches.wgsl, ranked.wgsl and what
// the objective says:
//   excessOf(u : Unit) -> f32     by how many times a unit is beyond a bound
//
// plan : [S, B, 2] = weight, length     stats : see coefficients
// sampled : [S, B, T] log π_old, then sections that are not read
// choice : [S, B, T] legal bits, then sections that are not read     out : [S, B, T, n] logits, then values
// counts : [B·T + 1, 2] by the number of units: how many may get the mark 0, and what is not read
// credit : [S, B, T] A, and at `marksAt` the marks, written here

struct Dims { B : u32, T : u32, actions : u32, n : u32, marksAt : u32, inverse : f32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       plan    : array<f32>;
@group(0) @binding(2) var<storage, read>       stats   : array<f32>;
@group(0) @binding(3) var<storage, read>       sampled : array<f32>;
@group(0) @binding(4) var<storage, read>       choice  : array<u32>;
@group(0) @binding(5) var<storage, read>       out     : array<f32>;
@group(0) @binding(6) var<storage, read>       counts  : array<u32>;
@group(0) @binding(7) var<storage, read_write> credit  : array<f32>;

/// weight in the loss average over the mean one, Σπ² and Σπ³
struct Unit { A : f32, delta : f32, logp : f32, weight : f32, squares : f32, cubes : f32 }

fn isNumber(x : f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) <= 0x7f800000u; }

fn unitAt(step : u32, weight : f32) -> Unit {
  let legal = choice[step];
  let z = step * dims.n;
  var top = -3.0e38;
  for (var c = 0u; c < dims.actions; c++) {
    if (((legal >> c) & 1u) != 0u) { top = max(top, out[z + c] * dims.inverse); }
  }
  // of e, e² and e³, e = exp(z − the largest z)
  var sums = vec3f();
  for (var c = 0u; c < dims.actions; c++) {
    if (((legal >> c) & 1u) == 0u) { continue; }
    let e = exp(out[z + c] * dims.inverse - top);
    sums += vec3f(e, e * e, e * e * e);
  }
  let delta = stats[6u * step + 4u];
  let powers = sums.yz / vec2f(sums.x * sums.x, sums.x * sums.x * sums.x);
  return Unit(credit[step], delta, sampled[step] + delta, weight, powers.x, powers.y);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  let N = dims.B * dims.T;
  let own = stretchOf(s, local);

  var mine = vec3f();
  for (var id = own.first; id < own.end; id++) {
    if (isUnit(s, id)) { mine += vec3f(plan[2u * (s * dims.B + id / dims.T)], 1.0, 0.0); }
  }
  let all = total(local, mine);
  for (var id = own.first; id < own.end; id++) {
    let step = s * N + id;
    var x = OUT;
    if (isUnit(s, id)) {
      let u = unitAt(step, plan[2u * (step / dims.T)] * all.y / all.x);
      x = 0.0;
      // no excess is as large as OUT
      if (isNumber(u.A) && isNumber(u.delta)) { x = min(excessOf(u), 1e30); }
    }
    credit[dims.marksAt + step] = x;
  }
  let last = rankOf(local, own.from_, own.to, 1.0, counts[2u * u32(all.y)]);
  markLargest(local, own, 1.0, last, vec2f(0.0, 1.0));
}
