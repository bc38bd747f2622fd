// The policy of new logits at the steps of a batch: π of the actions, entropy along what was written, the KL from the
// probabilities that played a step to it, and the largest change of a log-probability of a replica, see nearKl.wgsl in front.
// One invocation per step; padding is not written. Linked after steps.wgsl or rows.wgsl, and softmax.wgsl.
//
// choice : sections [S, B, T] = legal bits, action, command     played : [S, B, T, actions]
// seen : as the head writes `sampled`, entropies and in place of the value the KL; then at `probsAt` [S, B, T, actions] π
// most : [S] largest change of a log-probability, 0 before

@group(0) @binding(4) var<storage, read>       choice : array<u32>;
@group(0) @binding(5) var<storage, read>       played : array<f32>;
@group(0) @binding(6) var<storage, read_write> seen   : array<f32>;
@group(0) @binding(7) var<storage, read_write> most   : array<atomic<u32>>;

fn logitAt(z : u32, c : u32) -> f32 { return out[z + c]; }
fn keepProb(action : u32, p : f32) { now[action] = p; }

/// Entropy of the unit at prefix j.
fn entropyOf(j : u32, z : u32, legal : u32) -> f32 {
  let m = softmax(j, z, legal);
  // what is certain has none, and a device's exp(0) need not be 1, nor its log(1) 0
  if (m.y == 1.0 || legalSlots(j, legal) == 1u) { return 0.0; }
  var h = 0.0;
  for (var c = firstSlot(j); c < endSlot(j); c++) {
    if (!isLegalSlot(c, legal)) { continue; }
    let x = logitAt(z, c) * dims.inverse - m.x;
    let e = exp(x);
    if (e > 0.0) { h -= e / m.y * (x - log(m.y)); }
  }
  return h;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let at = placeOf(group, local);
  let step = at.step;
  if (step == NONE || !isReal(at)) { return; }
  let legal = choice[step];
  eachProb(at.z, legal, 0u);
  for (var a = 0u; a < dims.actions; a++) { seen[dims.probsAt + step * dims.actions + a] = now[a]; }
  seen[2u * dims.floatSection + step] = nearKl(at.s, step);
  var entropy = 0.0;
  var j = 0u;
  for (var k = 0u; k < unitsMost(); k++) {
    let h = entropyOf(j, at.z, legal);
    if (SEVERAL) { seen[unitEntropyAt(step) + k] = h; }
    entropy += h;
    let chosen = slotOf(j, choice[writtenAt(step)]);
    if (chosen == NONE || slotNext(chosen) == NONE) { break; }
    j = slotNext(chosen);
  }
  seen[dims.floatSection + step] = entropy;
}
