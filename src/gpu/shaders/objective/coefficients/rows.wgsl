// What coefficients.wgsl is bound to where a step may have several units and passes through in a row of a chunk. Linked after
// command.wgsl, commandColumns.wgsl, chunkRows.wgsl, excess.wgsl and clipping.wgsl. Rows without a weight write zeros.
//
// rows : see chunkRows.wgsl     grammar : see command.wgsl     plan : [S, B, 2] = weight, length
// outs : three sections of `outSection`, each [S, R, n]: outputs, those of the reference, gradient
// perStep : the ratio is one of a unit (0), of a step with Δ summed over its units (1), or averaged over them (2)
// stats : [S, B·T, 6] = w·loss, w·value loss, KL to the reference, unused, Δ of the step, units; then at `unitsAt`
//         [S, B·T, 8] of its units: Σ(ρ − 1 − log ρ), largest ρ, Σρ, ΣΔ², clipped high, low, dual, outside the bounds (see
//         clipping.wgsl); at `deltaAt` [S, B·T, decisions] Δ of every unit, 0 beyond

struct Dims {
  B : u32, T : u32, R : u32, J : u32, n : u32, masked : u32, decisions : u32, perStep : u32, outSection : u32,
  section : u32, floatSection : u32, marksAt : u32, creditAt : u32, unitsAt : u32, deltaAt : u32, inverse : f32,
  valueCoef : f32, valueClip : f32, valueMode : u32, valueHuber : f32, clips : u32, low : f32, high : f32, ofDelta : f32,
  ofMark : f32, p0 : f32, p1 : f32, p2 : f32, p3 : f32,
}

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       rows    : array<u32>;
@group(0) @binding(2) var<storage, read>       grammar : array<u32>;
@group(0) @binding(6) var<storage, read>       plan    : array<f32>;
@group(0) @binding(7) var<storage, read_write> outs    : array<f32>;

const GROUP = 64u;

/// Σ(ρ − 1 − log ρ), largest ρ, Σρ, ΣΔ² of the units so far
var<private> moments : vec4f;
/// units clipped high, low, dual; outside the bounds
var<private> clips : vec4f;

fn readOutputs(group : vec3u, local : u32, at : Place) {}
fn giveBack(group : vec3u, local : u32, at : Place) {}
fn logitAt(z : u32, c : u32) -> f32 { return outs[z + c]; }
fn refAt(z : u32, c : u32) -> f32 { return outs[z + dims.outSection + c]; }
fn setGradient(z : u32, c : u32, g : f32) { outs[z + 2u * dims.outSection + c] = g; }
/// Steps without a place keep what they have.
fn clearOthers(group : vec3u, local : u32) {}
fn isReal(at : Place) -> bool { return true; }
fn weightOf(at : Place) -> f32 { return plan[2u * at.row]; }
fn ratioLevel() -> u32 { return dims.perStep; }
fn keepDelta(step : u32, k : u32, delta : f32) { stats[dims.deltaAt + dims.decisions * step + k] = delta; }

/// Counts a unit with credit A, log-ratio `delta` and its mark, and what the objective says of it.
fn countUnit(c : vec3f, A : f32, delta : f32, mark : f32) {
  let held = clamp(delta, -20.0, 20.0);
  let rho = exp(held);
  moments = vec4f(moments.x + excessOf(held), max(moments.y, rho), moments.z + rho, moments.w + delta * delta);
  let code = kindOf(c.z, A, delta);
  clips += vec4f(f32(code == 1.0), f32(code == 2.0), f32(code == 3.0), f32(isOutside(delta, mark)));
}

fn keepCounts(step : u32, units : f32) {
  stats[6u * step + 3u] = 0.0;
  stats[6u * step + 5u] = units;
  for (var k = 0u; k < 4u; k++) {
    stats[dims.unitsAt + 8u * step + k] = moments[k];
    stats[dims.unitsAt + 8u * step + 4u + k] = clips[k];
  }
}
