// From logits to decisions: at each prefix reached a choice is drawn from the softmax over its legal slots, by inverse CDF,
// until nothing is left to decide; log-probability, entropy, value, and π(a|o) of every action. Linked after random.wgsl,
// softMin.wgsl, a tree of units with its columns, and softmax.wgsl, into kernels that have `choice`, `sampled` and dims
// (actions, n, section, floatSection, inverse = 1 / temperature), and say
//   shownAt(step) -> u32   action + 1 that takes the place of the draws, 0 for none

/// Where draws begin: T((seed of the replica, purpose), (update, trajectory)) of random.wgsl, which all steps share, and the step.
struct Draw { key : vec2u, t : u32 }
struct Decision { action : u32, isFinite : bool }

/// The decision of a step whose outputs begin at z; `isFinite` is false if a logit that matters is not.
fn decide(step : u32, z : u32, legal : u32, by : Draw) -> Decision {
  let shown = shownAt(step);
  let probsAt = step * dims.actions;
  var made = Decision(NONE, true);
  var written = 0u;
  var logp = 0.0;
  var entropy = 0.0;
  var j = 0u;
  var k = 0u;
  for (; k < unitsMost(); k++) {
    let m = softmax(j, z, legal);
    made.isFinite = made.isFinite && m.z == 1.0;
    if (SEVERAL && !made.isFinite) { break; }
    let u = uniform01(threefry(by.key, vec2u(by.t | (depthOf(j) << 16u), 0u)).x) * m.y;
    var running = 0.0;
    var chosen = firstSlot(j);
    var isChosen = false;
    var h = 0.0;
    for (var c = firstSlot(j); c < endSlot(j); c++) {
      var p = 0.0;
      if (isLegalSlot(c, legal)) {
        let x = logitAt(z, c) * dims.inverse - m.x;
        let e = exp(x);
        running += e;
        if (!isChosen) { chosen = c; isChosen = u < running; }
        p = e / m.y;
        if (p > 0.0) { h -= p * (x - log(m.y)); }
      }
      if (!SEVERAL) { keepProb(probsAt + c, p); }
    }
    if (shown != 0u) { chosen = slotOf(j, writtenFor(shown - 1u)); }
    let lp = logitAt(z, chosen) * dims.inverse - m.x - log(m.y);
    if (SEVERAL) {
      sampled[unitLogpAt(step) + k] = lp;
      sampled[unitEntropyAt(step) + k] = h;
    }
    logp += lp;
    entropy += h;
    written |= slotToken(chosen) << (8u * depthOf(j));
    if (slotNext(chosen) == NONE) {
      made.action = slotAction(chosen);
      // what is certain is no decision and is written out
      if (isMasked()) { written = writtenFor(made.action); }
      k++;
      break;
    }
    j = slotNext(chosen);
  }
  choice[dims.section + step] = made.action;
  sampled[step] = logp;
  sampled[dims.floatSection + step] = entropy;
  if (SEVERAL) {
    for (; k < unitsMost(); k++) {
      sampled[unitLogpAt(step) + k] = 0.0;
      sampled[unitEntropyAt(step) + k] = 0.0;
    }
    choice[writtenAt(step)] = written;
    eachProb(z, legal, probsAt);
  }
  let values = dims.n - slotCount();
  if (values == 1u) { sampled[2u * dims.floatSection + step] = logitAt(z, slotCount()); }
  if (values == 2u) {
    let first = logitAt(z, slotCount());
    let second = logitAt(z, slotCount() + 1u);
    sampled[2u * dims.floatSection + step] = softMin(first, second);
    sampled[headsAt(step)] = first;
    sampled[headsAt(step) + dims.floatSection] = second;
  }
  return made;
}
