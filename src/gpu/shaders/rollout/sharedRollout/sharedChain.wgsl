// A chain of dense layers for the observations of eight trajectories, all by one workgroup: layers too wide for the
// registers of one invocation. The same sums in the same order as chain.wgsl, so that every form agrees in every bit.
//
// Linked after what chain.wgsl is linked after, and GROUP, the invocations of a workgroup: at least half the widest
// hidden layer. There is a hidden layer. Of the first layer an invocation has four columns of a trajectory: no two read the same rows.
// Of another hidden layer it has four columns of four trajectories, and each weight is read by two invocations. The kernel has `obs`; it puts into `places` where the observations begin,
// NO_PLACE for trajectories that do not play, and has passed a barrier. After `sharedChain` the outputs are in `logits`.

const PLAYERS = 8u;
const NO_PLACE = 0xffffffffu;

var<workgroup> places : array<u32, PLAYERS>;
/// [width][PLAYERS]: what the next layer reads
var<workgroup> hidden : array<f32, PLAYERS * WIDEST>;
var<workgroup> logits : array<f32, PLAYERS * WIDTHS[LAYERS]>;

/// Four columns of four trajectories.
struct Block { a : vec4f, b : vec4f, c : vec4f, d : vec4f }

fn keepFour(j : u32, p : u32, out : u32, z : vec4f) {
  for (var k = 0u; k < 4u; k++) { if (j + k < out) { hidden[PLAYERS * (j + k) + p] = activated(z[k]); } }
}

/// Bias and the rows of the set bits.
fn sparseFour(place : u32, W : u32, out : u32, bias : vec4f) -> vec4f {
  var y = bias;
  if (place == NO_PLACE) { return y; }
  for (var w = 0u; w < BIT_WORDS; w++) {
    var word = obs[place + w];
    while (word != 0u) {
      y += fourAt(W + (w * 32u + countTrailingZeros(word)) * out);
      word &= word - 1u;
    }
  }
  return y;
}

fn biasFour(layer : u32, weights : u32, j : u32) -> vec4f {
  if (HAS_BIAS) { return fourAt(weights + BIASES_AT[layer] + j); }
  return vec4f();
}

/// The first layer: nobody reads what the last one of the step before has read.
fn firstColumns(weights : u32, local : u32) {
  let out = WIDTHS[1];
  let fours = (out + 3u) / 4u;
  for (var k = local; k < PLAYERS * fours; k += GROUP) {
    let j = k % fours * 4u;
    let p = k / fours;
    keepFour(j, p, out, sparseFour(places[p], weights + WEIGHTS_AT[0] + j, out, biasFour(0u, weights, j)));
  }
}

fn hiddenBlock(layer : u32, weights : u32, j : u32, half : u32) -> Block {
  let inputs = WIDTHS[layer];
  let out = WIDTHS[layer + 1u];
  let W = weights + WEIGHTS_AT[layer] + j;
  let bias = biasFour(layer, weights, j);
  var y = Block(bias, bias, bias, bias);
  for (var i = 0u; i < inputs; i++) {
    let w = fourAt(W + i * out);
    let at = PLAYERS * i + 4u * half;
    let x = vec4f(hidden[at], hidden[at + 1u], hidden[at + 2u], hidden[at + 3u]);
    y.a = fma(vec4f(x.x), w, y.a);
    y.b = fma(vec4f(x.y), w, y.b);
    y.c = fma(vec4f(x.z), w, y.c);
    y.d = fma(vec4f(x.w), w, y.d);
  }
  return y;
}

/// Few columns: an invocation takes one of them for a trajectory.
fn lastColumns(weights : u32, local : u32) {
  let layer = LAYERS - 1u;
  let inputs = WIDTHS[layer];
  let out = WIDTHS[LAYERS];
  for (var k = local; k < PLAYERS * out; k += GROUP) {
    let j = k / PLAYERS;
    var y = 0.0;
    if (HAS_BIAS) { y = weightAt(weights + BIASES_AT[layer] + j); }
    for (var i = 0u; i < inputs; i++) {
      y = fma(hidden[PLAYERS * i + k % PLAYERS], weightAt(weights + WEIGHTS_AT[layer] + i * out + j), y);
    }
    logits[k] = y;
  }
}

fn sharedChain(weights : u32, local : u32) {
  firstColumns(weights, local);
  workgroupBarrier();
  let half = local & 1u;
  let j = (local / 2u) * 4u;
  for (var layer = 1u; layer + 1u < LAYERS; layer++) {
    let out = WIDTHS[layer + 1u];
    var y : Block;
    if (j < out) { y = hiddenBlock(layer, weights, j, half); }
    workgroupBarrier(); // the last layer's numbers are read
    if (j < out) {
      keepFour(j, 4u * half, out, y.a);
      keepFour(j, 4u * half + 1u, out, y.b);
      keepFour(j, 4u * half + 2u, out, y.c);
      keepFour(j, 4u * half + 3u, out, y.d);
    }
    workgroupBarrier();
  }
  lastColumns(weights, local);
  workgroupBarrier();
}
