// What coefficients.wgsl keeps of a step that is one row and one unit: all of a batch, or those of a list. Linked
// behind actions.wgsl, actionColumns.wgsl, and everyStep.wgsl or listedSteps.wgsl; before outputs.wgsl or head.wgsl. Of
// all, padding and steps without a weight write zeros.
//
// stats : [S, B·T, 6] = w·loss, w·value loss, KL to the reference, clip code, Δ, unused

var<private> code : f32;

/// A ratio per step is one per unit.
fn ratioLevel() -> u32 { return 0u; }
fn keepDelta(step : u32, k : u32, delta : f32) {}
fn countUnit(c : vec3f, A : f32, delta : f32, mark : f32) { code = c.z; }
fn keepCounts(step : u32, units : f32) {
  stats[6u * step + 3u] = code;
  stats[6u * step + 5u] = 0.0;
}
