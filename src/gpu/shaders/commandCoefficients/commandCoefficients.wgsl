// Gradient of the loss by the logits of the words of written commands, and what the metrics need, for every row of a
// chunk. Each decision on the way is a unit with its own softmax; all carry the advantage of the step:
//
//   ∂L/∂z_b = w/τ · ( κ(1[b = a] − π_b) + β_H π_b(log π_b + H) + β π_b(log π_b − log π_ref,b − KL) )
//   ∂L/∂V   = w · c_V · f′(V)     f: see valueTerm.wgsl, linked in front; of two values each has its own
//
// With another form of the KL term its last part is β(π_b − π_ref,b), or κ grows by β times the slope of a sampled form.
// κ comes from the objective's `coefficient`, linked in front: per unit, or with `perStep` once for Δ summed over the
// units of the step (1) or averaged over them (2). One invocation per row; rows without a weight write zeros.
//
// rows : [S, 4 + 2R]     outs : three sections of `outSection`, each [S, R, n]: outputs, those of the reference, gradient
// grammar : see command.wgsl     choice : [3][S, B, T] = legal bits, action, command     plan : [S, B, 2] = weight, length
// sampled : as commandHead writes it     credit : [2][S, B, T] = A, target, and where units carry marks [S, B, T, decisions] in the sections behind
// live : 1 while only the critic learns, entropy, KL coefficient, form of KL
// stats : [S, B·T, 6] = w·loss, w·value loss, KL to the reference, unused, Δ of the step, units; then at `unitsAt`
//         [S, B·T, 8] of its units: Σ(ρ − 1 − log ρ), largest ρ, Σρ, ΣΔ², clipped high, low, dual, outside the bounds (see clipping.wgsl);
//         at `deltaAt` [S, B·T, decisions] Δ of every decided word, 0 beyond

struct Dims {
  B : u32, T : u32, R : u32, J : u32, slots : u32, n : u32, masked : u32, decisions : u32, perStep : u32, outSection : u32,
  section : u32, floatSection : u32, unitsAt : u32, deltaAt : u32, inverse : f32, valueCoef : f32, valueClip : f32,
  valueMode : u32, valueHuber : f32, clips : u32, low : f32, high : f32, ofDelta : f32, ofMark : f32,
  p0 : f32, p1 : f32, p2 : f32, p3 : f32,
}

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       rows    : array<u32>;
@group(0) @binding(2) var<storage, read>       grammar : array<u32>;
@group(0) @binding(3) var<storage, read>       choice  : array<u32>;
@group(0) @binding(4) var<storage, read>       sampled : array<f32>;
@group(0) @binding(5) var<storage, read>       credit  : array<f32>;
@group(0) @binding(6) var<storage, read>       plan    : array<f32>;
@group(0) @binding(7) var<storage, read_write> outs    : array<f32>;
@group(0) @binding(8) var<storage, read_write> stats   : array<f32>;
@group(0) @binding(9) var<uniform>             live    : array<vec4f, 64>;

/// `live` of the replica.
var<private> own : vec4f;

/// A command has at most four words.
const MOST = 4u;

/// log of the sum of exp over the legal logits of prefix j.
fn logSum(j : u32, z : u32, legal : u32) -> f32 {
  var top = -3.0e38;
  for (var c = firstSlot(j); c < endSlot(j); c++) {
    if (isLegalSlot(c, legal)) { top = max(top, outs[z + c] * dims.inverse); }
  }
  var total = 0.0;
  for (var c = firstSlot(j); c < endSlot(j); c++) {
    if (isLegalSlot(c, legal)) { total += exp(outs[z + c] * dims.inverse - top); }
  }
  return top + log(total);
}

/// (ρ − 1 − log ρ, ρ) of a unit; the first cancels for small Δ, there its series is used.
fn ratioTerms(delta : f32) -> vec2f {
  let held = clamp(delta, -20.0, 20.0);
  let ratio = exp(held);
  if (abs(held) < 0.01) { return vec2f(held * held * (0.5 + held * (0.16666667 + held * 0.041666667)), ratio); }
  return vec2f(ratio - 1.0 - held, ratio);
}

var<private> loss : f32;
/// Σ(ρ − 1 − log ρ), largest ρ, Σρ, ΣΔ² of the units so far
var<private> moments : vec4f;
/// units clipped high, low, dual; outside the bounds
var<private> clips : vec4f;

/// Counts a unit with credit A, log-ratio `delta` and its mark, and what the objective says of it.
fn countUnit(c : vec3f, A : f32, delta : f32, mark : f32) {
  let terms = ratioTerms(delta);
  loss += c.x;
  moments = vec4f(moments.x + terms.x, max(moments.y, terms.y), moments.z + terms.y, moments.w + delta * delta);
  let code = kindOf(c.z, A, delta);
  clips += vec4f(f32(code == 1.0), f32(code == 2.0), f32(code == 3.0), f32(isOutside(delta, mark)));
}

/// Gradient by the logits of prefix j where slot `chosen` was written; returns KL to the reference.
fn decision(j : u32, chosen : u32, z : u32, legal : u32, logZ : f32, kappa : f32, w : f32) -> f32 {
  let hasRef = own.z > 0.0;
  let zRef = z + dims.outSection;
  var logZref = 0.0;
  if (hasRef) { logZref = logSum(j, zRef, legal); }
  var slope = kappa;
  if (hasRef) {
    let d = outs[z + chosen] * dims.inverse - logZ - (outs[zRef + chosen] * dims.inverse - logZref);
    slope += own.z * klSlope(own.w, d);
  }
  var entropy = 0.0;
  var kl = 0.0;
  var others = 0.0;   // 1 − π of the chosen word, which as a difference would lose its digits near 1
  for (var c = firstSlot(j); c < endSlot(j); c++) {
    if (!isLegalSlot(c, legal)) { continue; }
    let lp = outs[z + c] * dims.inverse - logZ;
    let p = exp(lp);
    if (c != chosen) { others += p; }
    if (p > 0.0) {
      entropy -= p * lp;
      if (hasRef) { kl += p * (lp - (outs[zRef + c] * dims.inverse - logZref)); }
    }
  }
  for (var c = firstSlot(j); c < endSlot(j); c++) {
    if (!isLegalSlot(c, legal)) { continue; }
    let lp = outs[z + c] * dims.inverse - logZ;
    let p = exp(lp);
    var g = slope * select(-p, others, c == chosen);
    if (p > 0.0) {
      g += own.y * p * (lp + entropy);
      if (hasRef && own.w == 0.0) { g += own.z * p * (lp - (outs[zRef + c] * dims.inverse - logZref) - kl); }
    }
    if (hasRef && own.w == 1.0) { g += own.z * (p - exp(outs[zRef + c] * dims.inverse - logZref)); }
    outs[z + 2u * dims.outSection + c] = select(w * g * dims.inverse, 0.0, own.x == 1.0);
  }
  return kl;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let r = group.x * 64u + local;
  let s = group.z;
  let start = s * (4u + 2u * dims.R);
  if (r >= rows[start]) { return; }
  let step = s * dims.B * dims.T + rows[start + 4u + dims.R + r];
  let z = (s * dims.R + r) * dims.n;
  own = live[s];
  let d = z + 2u * dims.outSection;
  for (var c = 0u; c < dims.n; c++) { outs[d + c] = 0.0; }
  let w = plan[2u * (step / dims.T)];
  if (w == 0.0) {
    for (var k = 0u; k < 6u; k++) { stats[step * 6u + k] = 0.0; }
    for (var k = 0u; k < 8u; k++) { stats[dims.unitsAt + 8u * step + k] = 0.0; }
    for (var k = 0u; k < dims.decisions; k++) { stats[dims.deltaAt + dims.decisions * step + k] = 0.0; }
    return;
  }
  let legal = choice[step];
  let command = choice[2u * dims.section + step];
  let old = 3u * dims.floatSection + step * dims.decisions;
  var prefix = array<u32, MOST>();
  var slot = array<u32, MOST>();
  var logZ = array<f32, MOST>();
  var logp = 0.0;
  var delta = 0.0;
  var n = 0u;
  var j = 0u;
  for (; n < min(dims.decisions, MOST); n++) {
    let c = slotOf(j, command);
    if (c == NONE) { break; }
    prefix[n] = j;
    slot[n] = c;
    logZ[n] = logSum(j, z, legal);
    let lp = outs[z + c] * dims.inverse - logZ[n];
    logp += lp;
    delta += lp - sampled[old + n];
    stats[dims.deltaAt + dims.decisions * step + n] = lp - sampled[old + n];
    if (slotNext(c) == NONE) { n++; break; }
    j = slotNext(c);
  }
  for (var k = n; k < dims.decisions; k++) { stats[dims.deltaAt + dims.decisions * step + k] = 0.0; }
  let A = credit[step];
  var p = vec4f(dims.p0, dims.p1, dims.p2, dims.p3);
  let hasMarks = arrayLength(&credit) >= 3u * dims.floatSection;
  let marks = 2u * dims.floatSection + dims.decisions * step;
  let isPerStep = dims.perStep != 0u;
  let share = select(1.0, 1.0 / f32(max(n, 1u)), dims.perStep == 2u);
  var shared_ = vec3f();
  if (isPerStep) {
    if (hasMarks) { p.w = credit[marks]; }
    shared_ = coefficient(A, delta * share, logp * share, p);
    countUnit(shared_, A, delta * share, p.w);
  }
  var kl = 0.0;
  for (var k = 0u; k < n; k++) {
    var c = shared_;
    if (!isPerStep) {
      let lp = outs[z + slot[k]] * dims.inverse - logZ[k];
      let moved = lp - sampled[old + k];
      if (hasMarks) { p.w = credit[marks + k]; }
      c = coefficient(A, moved, lp, p);
      countUnit(c, A, moved, p.w);
    }
    kl += decision(prefix[k], slot[k], z, legal, logZ[k], c.y * share, w);
  }
  var valueLoss = 0.0;
  let values = dims.n - dims.slots;
  for (var h = 0u; h < values; h++) {
    let old = sampled[select(2u, 3u + 2u * dims.decisions + h, values == 2u) * dims.floatSection + step];
    let target_ = credit[dims.floatSection + step];
    let v = valueTerm(outs[z + dims.slots + h], old, target_, dims.valueClip, dims.valueMode, dims.valueHuber);
    valueLoss += v.x / f32(values);
    outs[d + dims.slots + h] = w * dims.valueCoef * v.y;
  }
  let to = step * 6u;
  stats[to] = w * loss;
  stats[to + 1u] = w * valueLoss;
  stats[to + 2u] = kl;
  stats[to + 3u] = 0.0;
  stats[to + 4u] = delta;
  stats[to + 5u] = select(f32(n), 1.0, isPerStep);
  for (var k = 0u; k < 4u; k++) {
    stats[dims.unitsAt + 8u * step + k] = moments[k];
    stats[dims.unitsAt + 8u * step + 4u + k] = clips[k];
  }
}
