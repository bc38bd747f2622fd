// Softmax over the choices of a prefix, and π(a|o) of every action: the product along its choices. Linked after actions.wgsl
// or command.wgsl into kernels that have dims.inverse = 1 / temperature, and say
//   logitAt(z, c) -> f32   logit of slot c in the row that begins at z
//   keepProb(at, p)        where a probability goes, at = base + action

fn isFinite(x : f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }

/// Largest legal logit/τ at prefix j, the sum of exp of the others' distance to it, and 1 if all were finite.
fn softmax(j : u32, z : u32, legal : u32) -> vec3f {
  var top = -3.0e38;
  var total = 0.0;
  var finite = 1.0;
  for (var c = firstSlot(j); c < endSlot(j); c++) {
    if (!isLegalSlot(c, legal)) { continue; }
    let x = logitAt(z, c);
    if (!isFinite(x)) { finite = 0.0; }
    top = max(top, x * dims.inverse);
  }
  for (var c = firstSlot(j); c < endSlot(j); c++) {
    if (isLegalSlot(c, legal)) { total += exp(logitAt(z, c) * dims.inverse - top); }
  }
  return vec3f(top, total, finite);
}

/// Keeps the probability of every action, 0 where it cannot be reached.
fn eachProb(z : u32, legal : u32, base : u32) {
  for (var a = 0u; a < dims.actions; a++) { keepProb(base + a, 0.0); }
  // prefixes come after their beginnings
  var reach = array<f32, 32>();
  reach[0] = 1.0;
  for (var j = 0u; j < prefixCount(); j++) {
    if (reach[j] == 0.0) { continue; }
    let m = softmax(j, z, legal);
    for (var c = firstSlot(j); c < endSlot(j); c++) {
      if (!isLegalSlot(c, legal)) { continue; }
      let p = reach[j] * exp(logitAt(z, c) * dims.inverse - m.x) / m.y;
      if (slotNext(c) != NONE) { reach[slotNext(c)] = p; }
      else if (slotAction(c) != NONE) { keepProb(base + slotAction(c), p); }
    }
  }
}
