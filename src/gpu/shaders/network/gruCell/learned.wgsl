// Linked after kept.wgsl where a dispatch is one step while learning: x is that of all steps.
fn placeOf(s : u32, i : u32) -> Place {
  let step = stepAt(s, i, dims.t);
  return Place(dims.t < stepsOf(s, i), dims.t, step, step);
}

fn keep(at : Place, k : u32, held : f32, gate : vec4f, h : f32) { keepStep(at.step, k, held, gate, h); }
