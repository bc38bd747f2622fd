// Gradient of the loss by the network's outputs, and what the metrics need, for every step:
//
//   ∂L/∂z_b = w/τ · ( κ(1[b = a] − π_b) + β_H π_b(log π_b + H) + β π_b(log π_b − log π_ref,b − KL) )
//   ∂L/∂V   = w · c_V · f′(V)     f: see valueTerm.wgsl, linked in front; of two values each has its own
//
// With another form of the KL term its last part is β(π_b − π_ref,b), or κ grows by β times the slope of a sampled form.
// κ comes from the objective's `coefficient`, linked in front of this text. One invocation per step; padding and
// steps outside the minibatch (w = 0) write zeros.
//
// out, ref, dOut : [S, B·T, n]     choice : [2][S, B, T] = legal bits, action     sampled : [S, B, T] each of log-probability,
// entropy, value, and both values where there are two     credit : [2][S, B, T] = A, target, and a third section where units carry marks     plan : [S, B, 2] = weight, length
// stats : [S, B·T, 6] = w·loss, w·value loss, KL to the reference, clip code, Δ, unused
// live : [64, 4] of every replica: 1 while only the critic learns, entropy coefficient, KL coefficient, form of the KL term: 0 exact,
//        1 exact forward, 2 … 5 sampled

struct Dims {
  S : u32, B : u32, T : u32, actions : u32, n : u32, section : u32, floatSection : u32,
  inverse : f32, valueCoef : f32, valueClip : f32, valueMode : u32, valueHuber : f32, p0 : f32, p1 : f32, p2 : f32, p3 : f32,
}

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       out     : array<f32>;
@group(0) @binding(2) var<storage, read>       ref_    : array<f32>;
@group(0) @binding(3) var<storage, read>       choice  : array<u32>;
@group(0) @binding(4) var<storage, read>       sampled : array<f32>;
@group(0) @binding(5) var<storage, read>       credit  : array<f32>;
@group(0) @binding(6) var<storage, read>       plan    : array<f32>;
@group(0) @binding(7) var<storage, read_write> dOut    : array<f32>;
@group(0) @binding(8) var<storage, read_write> stats   : array<f32>;
@group(0) @binding(9) var<uniform>             live    : array<vec4f, 64>;

/// log of the sum of exp over legal logits.
fn logSum(z : u32, legal : u32, useRef : bool) -> f32 {
  var top = -3.0e38;
  for (var b = 0u; b < dims.actions; b++) {
    if (((legal >> b) & 1u) == 1u) { top = max(top, logit(z, b, useRef)); }
  }
  var total = 0.0;
  for (var b = 0u; b < dims.actions; b++) {
    if (((legal >> b) & 1u) == 1u) { total += exp(logit(z, b, useRef) - top); }
  }
  return top + log(total);
}

fn logit(z : u32, b : u32, useRef : bool) -> f32 {
  if (useRef) { return ref_[z + b] * dims.inverse; }
  return out[z + b] * dims.inverse;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.B * dims.T) { return; }
  let s = group.z;
  let row = s * dims.B + id / dims.T;
  let step = s * dims.B * dims.T + id;
  let z = step * dims.n;
  let w = plan[2u * row];
  let isReal = f32(id % dims.T) < plan[2u * row + 1u];
  if (!isReal || w == 0.0) {
    for (var b = 0u; b < dims.n; b++) { dOut[z + b] = 0.0; }
    for (var k = 0u; k < 6u; k++) { stats[step * 6u + k] = 0.0; }
    return;
  }
  let legal = choice[step];
  let action = choice[dims.section + step];
  let logZ = logSum(z, legal, false);
  let logp = logit(z, action, false) - logZ;
  let delta = logp - sampled[step];
  var p_ = vec4f(dims.p0, dims.p1, dims.p2, dims.p3);
  if (arrayLength(&credit) >= 3u * dims.floatSection) { p_.w = credit[2u * dims.floatSection + step]; }
  let c = coefficient(credit[step], delta, logp, p_);
  let own = live[s];
  let hasRef = own.z > 0.0;
  var logZref = 0.0;
  if (hasRef) { logZref = logSum(z, legal, true); }
  var kappa = c.y;
  if (hasRef) { kappa += own.z * klSlope(own.w, logp - (logit(z, action, true) - logZref)); }
  var entropy = 0.0;
  var kl = 0.0;
  var others = 0.0;   // 1 − π_a, which as a difference would lose its digits near 1
  for (var b = 0u; b < dims.actions; b++) {
    if (((legal >> b) & 1u) == 1u) {
      let lp = logit(z, b, false) - logZ;
      let p = exp(lp);
      if (b != action) { others += p; }
      if (p > 0.0) {
        entropy -= p * lp;
        if (hasRef) { kl += p * (lp - (logit(z, b, true) - logZref)); }
      }
    }
  }
  for (var b = 0u; b < dims.actions; b++) {
    var g = 0.0;
    if (((legal >> b) & 1u) == 1u) {
      let lp = logit(z, b, false) - logZ;
      let p = exp(lp);
      g = kappa * select(-p, others, b == action);
      if (p > 0.0) {
        g += own.y * p * (lp + entropy);
        if (hasRef && own.w == 0.0) { g += own.z * p * (lp - (logit(z, b, true) - logZref) - kl); }
      }
      if (hasRef && own.w == 1.0) { g += own.z * (p - exp(logit(z, b, true) - logZref)); }
    }
    dOut[z + b] = select(w * g * dims.inverse, 0.0, own.x == 1.0);
  }
  var valueLoss = 0.0;
  let values = dims.n - dims.actions;
  for (var h = 0u; h < values; h++) {
    let old = sampled[select(2u, 3u + h, values == 2u) * dims.floatSection + step];
    let target_ = credit[dims.floatSection + step];
    let v = valueTerm(out[z + dims.actions + h], old, target_, dims.valueClip, dims.valueMode, dims.valueHuber);
    valueLoss += v.x / f32(values);
    dOut[z + dims.actions + h] = w * dims.valueCoef * v.y;
  }
  stats[step * 6u] = w * c.x;
  stats[step * 6u + 1u] = w * valueLoss;
  stats[step * 6u + 2u] = kl;
  stats[step * 6u + 3u] = c.z;
  stats[step * 6u + 4u] = delta;
  stats[step * 6u + 5u] = 0.0;
}
