// What coefficients.wgsl is bound to where a step is one row and one unit: all of a batch, or those of a list. Linked behind
// actions.wgsl, actionColumns.wgsl, and everyStep.wgsl or listedSteps.wgsl. Of all, padding and steps without a weight write
// zeros.
//
// out, dOut : [S, B·T, n], the first rows where they are those of a list     ref : [S, B·T, n] of all     stats : [S, B·T, 6] = w·loss, w·value loss, KL to the reference, clip code, Δ, unused

struct Dims {
  S : u32, B : u32, T : u32, actions : u32, n : u32, section : u32, floatSection : u32, marksAt : u32, creditAt : u32,
  inverse : f32, valueCoef : f32, valueClip : f32, valueMode : u32, valueHuber : f32, p0 : f32, p1 : f32, p2 : f32, p3 : f32,
  mostRows : u32,
}

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       out     : array<f32>;
@group(0) @binding(2) var<storage, read>       ref_    : array<f32>;
@group(0) @binding(7) var<storage, read_write> dOut    : array<f32>;

var<private> code : f32;

fn logitAt(z : u32, c : u32) -> f32 { return out[z + c]; }
fn refAt(z : u32, c : u32) -> f32 { return ref_[whole + c]; }
fn setGradient(z : u32, c : u32, g : f32) { dOut[z + c] = g; }
/// A ratio per step is one per unit.
fn ratioLevel() -> u32 { return 0u; }
fn keepDelta(step : u32, k : u32, delta : f32) {}
fn countUnit(c : vec3f, A : f32, delta : f32, mark : f32) { code = c.z; }
fn keepCounts(step : u32, units : f32) {
  stats[6u * step + 3u] = code;
  stats[6u * step + 5u] = 0.0;
}
