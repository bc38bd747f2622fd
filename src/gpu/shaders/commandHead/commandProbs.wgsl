// π(a|o) of every action that can be written: the product along its words. Linked behind command.wgsl into kernels that have
// `out` and dims.inverse = 1 / temperature, and say where a probability goes: keepProb(action, p).

fn isFinite(x : f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }

/// Largest legal logit/τ at prefix j, the sum of exp of the others' distance to it, and 1 if all were finite.
fn softmax(j : u32, z : u32, legal : u32) -> vec3f {
  var top = -3.0e38;
  var total = 0.0;
  var finite = 1.0;
  for (var c = firstSlot(j); c < endSlot(j); c++) {
    if (!isLegalSlot(c, legal)) { continue; }
    if (!isFinite(out[z + c])) { finite = 0.0; }
    top = max(top, out[z + c] * dims.inverse);
  }
  for (var c = firstSlot(j); c < endSlot(j); c++) {
    if (isLegalSlot(c, legal)) { total += exp(out[z + c] * dims.inverse - top); }
  }
  return vec3f(top, total, finite);
}

/// Keeps the probability of every action that can be reached.
fn eachProb(z : u32, legal : u32) {
  // prefixes come after their beginnings
  var reach = array<f32, 32>();
  reach[0] = 1.0;
  for (var j = 0u; j < dims.J; j++) {
    if (reach[j] == 0.0) { continue; }
    let m = softmax(j, z, legal);
    for (var c = firstSlot(j); c < endSlot(j); c++) {
      if (!isLegalSlot(c, legal)) { continue; }
      let p = reach[j] * exp(out[z + c] * dims.inverse - m.x) / m.y;
      if (slotNext(c) != NONE) { reach[slotNext(c)] = p; }
      else if (slotAction(c) != NONE) { keepProb(slotAction(c), p); }
    }
  }
}
