// Gradient of the loss by the network's outputs, and what the metrics need, for every step. Each unit is a decision with its
// own softmax over the choices of its prefix:
//
//   ∂L/∂z_b = w/τ · ( κ(1[b = a] − π_b) + β_H π_b(log π_b + H) + β π_b(log π_b − log π_ref,b − KL) )
//   ∂L/∂V   = w · c_V · f′(V)     f: see valueTerm.wgsl, linked in front; of two values each has its own
//
// With another form of the KL term its last part is β(π_b − π_ref,b), or κ grows by β times the slope of a sampled form.
// κ comes from the objective's `coefficient`, linked in front of this text: per unit, or once for a step whose units share
// their ratio. One invocation per step. Linked after rows.wgsl, or steps.wgsl with outputs.wgsl or head.wgsl, which say
// where outputs and units are; weights are those of planned.wgsl or listedSteps.wgsl, and what is in no list is cleared
// by otherSteps.wgsl.
//
// choice : sections [S, B, T] = legal bits, action, command     sampled : as the head writes it
// credit : sections [S, B, T] = A, target; at `marksAt`, if that is not 0, [S, B, T, K] marks of units; at `creditAt`, if
//          that is not 0, [S, B, T, K] A of units
// live : [64, 4] of every replica: 1 while only the critic learns, entropy coefficient, KL coefficient, form of the KL term: 0 exact,
//        1 exact forward, 2 … 5 sampled

@group(0) @binding(3) var<storage, read>       choice  : array<u32>;
@group(0) @binding(4) var<storage, read>       sampled : array<f32>;
@group(0) @binding(5) var<storage, read>       credit  : array<f32>;
@group(0) @binding(8) var<storage, read_write> stats   : array<f32>;
@group(0) @binding(9) var<uniform>             live    : array<vec4f, 64>;

/// `live` of the replica.
var<private> own : vec4f;

/// Logit/τ of slot c, of the policy or of the reference.
fn scaled(z : u32, c : u32, useRef : bool) -> f32 {
  if (useRef) { return refAt(z, c) * dims.inverse; }
  return logitAt(z, c) * dims.inverse;
}

/// log of the sum of exp over the legal logits of prefix j.
fn logSum(j : u32, z : u32, legal : u32, useRef : bool) -> f32 {
  var top = -3.0e38;
  for (var c = firstSlot(j); c < endSlot(j); c++) {
    if (isLegalSlot(c, legal)) { top = max(top, scaled(z, c, useRef)); }
  }
  var total = 0.0;
  for (var c = firstSlot(j); c < endSlot(j); c++) {
    if (isLegalSlot(c, legal)) { total += exp(scaled(z, c, useRef) - top); }
  }
  return top + log(total);
}

/// Gradient by the logits of prefix j where slot `chosen` was taken; returns KL to the reference.
fn decision(j : u32, chosen : u32, z : u32, legal : u32, logZ : f32, kappa : f32, w : f32) -> f32 {
  let hasRef = own.z > 0.0;
  var logZref = 0.0;
  if (hasRef) { logZref = logSum(j, z, legal, true); }
  var slope = kappa;
  if (hasRef) {
    slope += own.z * klSlope(own.w, scaled(z, chosen, false) - logZ - (scaled(z, chosen, true) - logZref));
  }
  var entropy = 0.0;
  var kl = 0.0;
  var others = 0.0;   // 1 − π of the choice, which as a difference would lose its digits near 1
  for (var c = firstSlot(j); c < endSlot(j); c++) {
    if (!isLegalSlot(c, legal)) { continue; }
    let lp = scaled(z, c, false) - logZ;
    let p = exp(lp);
    if (c != chosen) { others += p; }
    if (p > 0.0) {
      entropy -= p * lp;
      if (hasRef) { kl += p * (lp - (scaled(z, c, true) - logZref)); }
    }
  }
  for (var c = firstSlot(j); c < endSlot(j); c++) {
    var g = 0.0;
    if (isLegalSlot(c, legal)) {
      let lp = scaled(z, c, false) - logZ;
      let p = exp(lp);
      g = slope * select(-p, others, c == chosen);
      if (p > 0.0) {
        g += own.y * p * (lp + entropy);
        if (hasRef && own.w == 0.0) { g += own.z * p * (lp - (scaled(z, c, true) - logZref) - kl); }
      }
      if (hasRef && own.w == 1.0) { g += own.z * (p - exp(scaled(z, c, true) - logZref)); }
    }
    setGradient(z, c, select(w * g * dims.inverse, 0.0, own.x == 1.0));
  }
  return kl;
}

@compute @workgroup_size(GROUP)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  clearOthers(group, local);
  let at = placeOf(group, local);
  readOutputs(group, local, at);
  let step = at.step;
  let z = at.z;
  var w = 0.0;
  if (step != NONE) {
    own = live[at.s];
    w = select(0.0, weightOf(at), isReal(at));
    // with one unit all slots are written below
    if (SEVERAL || w == 0.0) {
      for (var c = 0u; c < dims.n; c++) { setGradient(z, c, 0.0); }
    }
    if (w == 0.0) {
      for (var k = 0u; k < 5u; k++) { stats[step * 6u + k] = 0.0; }
      for (var k = 0u; k < unitsMost(); k++) { keepDelta(step, k, 0.0); }
      keepCounts(step, 0.0);
    }
  }
  if (w != 0.0) {
    let legal = choice[step];
    let written = choice[writtenAt(step)];
    let old = unitLogpAt(step);
    var prefix = array<u32, MOST>();
    var slot = array<u32, MOST>();
    var logZ = array<f32, MOST>();
    var logp = 0.0;
    var delta = 0.0;
    var n = 0u;
    var j = 0u;
    for (; n < unitsMost(); n++) {
      let c = slotOf(j, written);
      if (c == NONE) { break; }
      prefix[n] = j;
      slot[n] = c;
      logZ[n] = logSum(j, z, legal, false);
      let lp = scaled(z, c, false) - logZ[n];
      logp += lp;
      delta += lp - sampled[old + n];
      keepDelta(step, n, lp - sampled[old + n]);
      if (slotNext(c) == NONE) { n++; break; }
      j = slotNext(c);
    }
    for (var k = n; k < unitsMost(); k++) { keepDelta(step, k, 0.0); }
    var p = vec4f(dims.p0, dims.p1, dims.p2, dims.p3);
    let units = unitsMost() * step;
    let isPerStep = ratioLevel() != 0u;
    let share = select(1.0, 1.0 / f32(max(n, 1u)), ratioLevel() == 2u);
    var c = vec3f();
    var loss = 0.0;
    var kl = 0.0;
    for (var k = 0u; k < n; k++) {
      if (!isPerStep || k == 0u) {
        let lp = scaled(z, slot[k], false) - logZ[k];
        let moved = select(lp - sampled[old + k], delta * share, isPerStep);
        var A = credit[step];
        if (dims.creditAt != 0u && !isPerStep) { A = credit[dims.creditAt + units + k]; }
        if (dims.marksAt != 0u) { p.w = credit[dims.marksAt + units + k]; }
        c = coefficient(A, moved, select(lp, logp * share, isPerStep), p);
        loss += c.x;
        countUnit(c, A, moved, p.w);
      }
      kl += decision(prefix[k], slot[k], z, legal, logZ[k], c.y * share, w);
    }
    var valueLoss = 0.0;
    let values = dims.n - slotCount();
    for (var h = 0u; h < values; h++) {
      let before = sampled[select(2u * dims.floatSection + step, headsAt(step) + h * dims.floatSection, values == 2u)];
      let target_ = credit[dims.floatSection + step];
      let v = valueTerm(logitAt(z, slotCount() + h), before, target_, dims.valueClip, dims.valueMode, dims.valueHuber);
      valueLoss += v.x / f32(values);
      setGradient(z, slotCount() + h, w * dims.valueCoef * v.y);
    }
    stats[step * 6u] = w * loss;
    stats[step * 6u + 1u] = w * valueLoss;
    stats[step * 6u + 2u] = kl;
    stats[step * 6u + 4u] = delta;
    keepCounts(step, select(f32(n), 1.0, isPerStep));
  }
  giveBack(group, local, at);
}
