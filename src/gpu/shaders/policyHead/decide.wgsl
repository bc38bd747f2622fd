// From logits to an action: masked softmax, entropy, categorical sample by inverse CDF, log-probability, value.
// Linked behind random.wgsl and softMin.wgsl into kernels that have `choice`, `sampled` and dims (actions, n, section, floatSection,
// inverse = 1 / temperature), and say
//   logitOf(k) -> f32      output k of the network
//   keepProb(at, p)        where a probability goes, at = step·actions + action
//   shownAt(step) -> u32   action + 1 that takes the place of the draw, 0 for none

fn isFinite(x : f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }

struct Decision { action : u32, isFinite : bool }

/// The decision of a step by the draw `uniform` in [0, 1); `isFinite` is false if a legal logit is not.
fn decide(step : u32, legal : u32, uniform_ : f32) -> Decision {
  var top = -3.0e38;
  var finite = true;
  for (var b = 0u; b < dims.actions; b++) {
    if (((legal >> b) & 1u) == 1u) {
      let x = logitOf(b) * dims.inverse;
      finite = finite && isFinite(x);
      top = max(top, x);
    }
  }
  var total = 0.0;
  for (var b = 0u; b < dims.actions; b++) {
    if (((legal >> b) & 1u) == 1u) { total += exp(logitOf(b) * dims.inverse - top); }
  }
  let u = uniform_ * total;
  var running = 0.0;
  var action = 0u;
  var isChosen = false;
  var entropy = 0.0;
  for (var b = 0u; b < dims.actions; b++) {
    var p = 0.0;
    if (((legal >> b) & 1u) == 1u) {
      let x = logitOf(b) * dims.inverse - top;
      let e = exp(x);
      running += e;
      if (!isChosen) { action = b; isChosen = u < running; }
      p = e / total;
      if (p > 0.0) { entropy -= p * (x - log(total)); }
    }
    keepProb(step * dims.actions + b, p);
  }
  let shown = shownAt(step);
  if (shown != 0u) { action = shown - 1u; }
  choice[dims.section + step] = action;
  sampled[step] = logitOf(action) * dims.inverse - top - log(total);
  sampled[dims.floatSection + step] = entropy;
  let values = dims.n - dims.actions;
  if (values == 1u) { sampled[2u * dims.floatSection + step] = logitOf(dims.actions); }
  if (values == 2u) {
    let first = logitOf(dims.actions);
    let second = logitOf(dims.actions + 1u);
    sampled[2u * dims.floatSection + step] = softMin(first, second);
    sampled[3u * dims.floatSection + step] = first;
    sampled[4u * dims.floatSection + step] = second;
  }
  return Decision(action, finite);
}
