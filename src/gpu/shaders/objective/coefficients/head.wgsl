// What coefficients.wgsl is bound to where the last layer of the network is done in the same dispatch: its outputs are
// made from its inputs before a step learns, and stay in the workgroup. Sums are those of denseForwardAny.wgsl and
// denseBackwardAny.wgsl, in their order, so the bits are those of three dispatches. For graphics devices, over a list of
// steps, without a reference. Linked in the place of outputs.wgsl, with constants:
//   INPUTS, OUTPUTS   of the layer, INPUTS a multiple of four; its weights, and two numbers for each output of 64 rows,
//                     fit the memory of a workgroup
//
// X : [S, B·T, INPUTS]     theta : [S, size], W row-major [INPUTS, OUTPUTS]     dOut : [S, B·T, OUTPUTS]
// X and dOut are by rows of the list.

struct Dims {
  S : u32, B : u32, T : u32, actions : u32, n : u32, section : u32, floatSection : u32, marksAt : u32, creditAt : u32,
  inverse : f32, valueCoef : f32, valueClip : f32, valueMode : u32, valueHuber : f32,
  p0 : f32, p1 : f32, p2 : f32, p3 : f32, mostRows : u32, size : u32, weightAt : u32, biasAt : u32, hasBias : u32,
}

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       X     : array<vec4f>;
@group(0) @binding(2) var<storage, read>       theta : array<f32>;
@group(0) @binding(7) var<storage, read_write> dOut  : array<f32>;

const GROUP = 64u;
const SEATS = 64u;
var<workgroup> W      : array<f32, INPUTS * OUTPUTS>;
var<workgroup> logits : array<f32, 64u * OUTPUTS>;
var<workgroup> slopes : array<f32, 64u * OUTPUTS>;
/// Where those of this invocation are.
var<private> own_ : u32;

fn readOutputs(group : vec3u, local : u32, at : Place) {
  own_ = local * OUTPUTS;
  // nobody has a step behind the end of the list
  if ((group.x + group.y * 65535u) * 64u >= rows[startOf(group.z)]) { return; }
  let from_ = group.z * dims.size;
  for (var k = local; k < INPUTS * OUTPUTS; k += 64u) { W[k] = theta[from_ + dims.weightAt + k]; }
  workgroupBarrier();
  if (at.step == NONE) { return; }
  var z = array<f32, OUTPUTS>();
  if (dims.hasBias == 1u) {
    for (var c = 0u; c < OUTPUTS; c++) { z[c] = theta[from_ + dims.biasAt + c]; }
  }
  let x = at.z / OUTPUTS * (INPUTS / 4u);
  for (var i = 0u; i < INPUTS / 4u; i++) {
    let four = X[x + i];
    for (var k = 0u; k < 4u; k++) {
      for (var c = 0u; c < OUTPUTS; c++) { z[c] = fma(four[k], W[(4u * i + k) * OUTPUTS + c], z[c]); }
    }
  }
  for (var c = 0u; c < OUTPUTS; c++) { logits[own_ + c] = z[c]; }
}

fn logitAt(z : u32, c : u32) -> f32 { return logits[own_ + c]; }
fn refAt(z : u32, c : u32) -> f32 { return 0.0; }
fn setGradient(z : u32, c : u32, g : f32) {
  slopes[own_ + c] = g;
  dOut[z + c] = g;
}
