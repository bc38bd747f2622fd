// What coefficients.wgsl is bound to where a whole network with one hidden layer is done in the same dispatch: its first layer reads
// the bits of an observation, its last one is that of head.wgsl. A workgroup has SEATS rows, and what they make of them stays in its
// memory. All of its invocations share the layers, the first ones have a row each for the objective. Sums are those of
// sparseForwardFine.wgsl, denseForwardAny.wgsl and denseBackwardAny.wgsl, in their order, so the bits are those of their
// dispatches. For graphics devices, over a list of steps, without a reference. Linked in the place of outputs.wgsl, after
// layerAct.wgsl, and before wholeBack.wgsl or noBack.wgsl, with constants:
//   INPUTS, OUTPUTS   of the last layer, INPUTS a multiple of four
//   WORDS             of an observation; the arrays below fit the memory of a workgroup
//
// bits : see sparseForward.wgsl     theta : [S, size/4]     dOut : [S, B·T, OUTPUTS], by rows of the list
// firstAt, firstBiasAt, weightAt, biasAt : where theta has the layers, multiples of four

struct Dims {
  S : u32, B : u32, T : u32, actions : u32, n : u32, section : u32, floatSection : u32, marksAt : u32, creditAt : u32,
  inverse : f32, valueCoef : f32, valueClip : f32, valueMode : u32, valueHuber : f32,
  p0 : f32, p1 : f32, p2 : f32, p3 : f32, mostRows : u32, size : u32, weightAt : u32, biasAt : u32, hasBias : u32,
  firstAt : u32, firstBiasAt : u32, obsWords : u32,
}

@group(0) @binding(0)  var<uniform>             dims  : Dims;
@group(0) @binding(2)  var<storage, read>       theta : array<vec4f>;
@group(0) @binding(7)  var<storage, read_write> dOut  : array<f32>;
@group(0) @binding(11) var<storage, read>       bits  : array<u32>;

const GROUP = 256u;
const SEATS = 16u;
const FOURS = INPUTS / 4u;
var<workgroup> seen   : array<u32, SEATS * WORDS>;
var<workgroup> hidden : array<vec4f, SEATS * FOURS>;
var<workgroup> W      : array<f32, INPUTS * OUTPUTS>;
var<workgroup> logits : array<f32, SEATS * OUTPUTS>;
var<workgroup> slopes : array<f32, SEATS * OUTPUTS>;
/// Where the outputs of this invocation are.
var<private> own_ : u32;

/// Rows of a workgroup.
fn seatsOf(group : vec3u) -> u32 {
  let first = (group.x + group.y * 65535u) * SEATS;
  let count = rows[startOf(group.z)];
  return select(0u, min(SEATS, count - first), first < count);
}

/// The j-th four numbers of the hidden layer of row r of a workgroup, in an array of all.
fn hiddenAt(group : vec3u, r : u32, j : u32) -> u32 {
  return (group.z * dims.B * dims.T + (group.x + group.y * 65535u) * SEATS + r) * FOURS + j;
}

fn readOutputs(group : vec3u, local : u32, at : Place) {
  own_ = local * OUTPUTS;
  let seats = seatsOf(group);
  if (seats == 0u) { return; }
  let s = group.z;
  let from_ = s * dims.size / 4u;
  let place = startOf(s) + 4u + 2u * dims.B + (group.x + group.y * 65535u) * SEATS;
  let first = s * dims.B * (dims.T + 1u) * dims.obsWords;
  for (var id = local; id < seats * WORDS; id += GROUP) {
    seen[id] = bits[first + rows[place + id / WORDS] * dims.obsWords + id % WORDS];
  }
  for (var id = local; id < FOURS * OUTPUTS; id += GROUP) {
    let w = theta[from_ + dims.weightAt / 4u + id];
    W[4u * id] = w.x; W[4u * id + 1u] = w.y; W[4u * id + 2u] = w.z; W[4u * id + 3u] = w.w;
  }
  workgroupBarrier();
  for (var id = local; id < seats * FOURS; id += GROUP) {
    let r = id / FOURS;
    let j = id % FOURS;
    var z = vec4f();
    if (dims.hasBias == 1u) { z = theta[from_ + dims.firstBiasAt / 4u + j]; }
    for (var w = 0u; w < WORDS; w++) {
      let row = from_ + dims.firstAt / 4u + w * 32u * FOURS + j;
      for (var left = seen[r * WORDS + w]; left != 0u; left &= left - 1u) { z += theta[row + countTrailingZeros(left) * FOURS]; }
    }
    let h = vec4f(act(z.x), act(z.y), act(z.z), act(z.w));
    hidden[id] = h;
    keepHidden(hiddenAt(group, r, j), h);
  }
  workgroupBarrier();
  for (var id = local; id < seats * OUTPUTS; id += GROUP) {
    let c = id % OUTPUTS;
    var z = 0.0;
    if (dims.hasBias == 1u) { z = theta[from_ + (dims.biasAt + c) / 4u][c % 4u]; }
    for (var i = 0u; i < FOURS; i++) {
      let four = hidden[id / OUTPUTS * FOURS + i];
      let w = 4u * i * OUTPUTS + c;
      z = fma(four.x, W[w], z);
      z = fma(four.y, W[w + OUTPUTS], z);
      z = fma(four.z, W[w + 2u * OUTPUTS], z);
      z = fma(four.w, W[w + 3u * OUTPUTS], z);
    }
    logits[id] = z;
  }
  workgroupBarrier();
}

fn logitAt(z : u32, c : u32) -> f32 { return logits[own_ + c]; }
fn refAt(z : u32, c : u32) -> f32 { return 0.0; }
fn setGradient(z : u32, c : u32, g : f32) {
  slopes[own_ + c] = g;
  dOut[z + c] = g;
}
