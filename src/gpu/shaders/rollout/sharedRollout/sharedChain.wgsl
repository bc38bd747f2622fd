// A chain of dense layers for the observations of eight trajectories, all by one workgroup: layers too wide for the
// registers of one invocation. The same sums in the same order as chain.wgsl, so that every form agrees in every bit.
//
// Linked after what chain.wgsl is linked after, and GROUP, the invocations of a workgroup: at least half the widest
// hidden layer. There is a hidden layer. An invocation owns four columns for four of the trajectories, and each weight is
// read by two invocations of the workgroup. The kernel has `obs`; it puts into `places` where the observations begin,
// NO_PLACE for trajectories that do not play, and has passed a barrier. After `sharedChain` the outputs are in `logits`.

const PLAYERS = 8u;
const NO_PLACE = 0xffffffffu;

var<workgroup> places : array<u32, PLAYERS>;
/// [width][2], four trajectories each: what the next layer reads
var<workgroup> hidden : array<vec4f, 2u * WIDEST>;
var<workgroup> logits : array<vec4f, 2u * WIDTHS[LAYERS]>;

/// Four columns of four trajectories.
struct Block { a : vec4f, b : vec4f, c : vec4f, d : vec4f }

fn activatedFour(z : vec4f) -> vec4f { return vec4f(activated(z.x), activated(z.y), activated(z.z), activated(z.w)); }

fn keepBlock(j : u32, half : u32, out : u32, y : Block) {
  for (var k = 0u; k < 4u; k++) {
    if (j + k < out) { hidden[2u * (j + k) + half] = activatedFour(vec4f(y.a[k], y.b[k], y.c[k], y.d[k])); }
  }
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

fn sparseBlock(weights : u32, j : u32, half : u32) -> Block {
  let out = WIDTHS[1];
  let W = weights + WEIGHTS_AT[0] + j;
  let bias = biasFour(0u, weights, j);
  let p = 4u * half;
  return Block(
    sparseFour(places[p], W, out, bias),
    sparseFour(places[p + 1u], W, out, bias),
    sparseFour(places[p + 2u], W, out, bias),
    sparseFour(places[p + 3u], W, out, bias),
  );
}

fn hiddenBlock(layer : u32, weights : u32, j : u32, half : u32) -> Block {
  let inputs = WIDTHS[layer];
  let out = WIDTHS[layer + 1u];
  let W = weights + WEIGHTS_AT[layer] + j;
  let bias = biasFour(layer, weights, j);
  var y = Block(bias, bias, bias, bias);
  for (var i = 0u; i < inputs; i++) {
    let w = fourAt(W + i * out);
    let x = hidden[2u * i + half];
    y.a = fma(vec4f(x.x), w, y.a);
    y.b = fma(vec4f(x.y), w, y.b);
    y.c = fma(vec4f(x.z), w, y.c);
    y.d = fma(vec4f(x.w), w, y.d);
  }
  return y;
}

/// Few columns: an invocation takes one of them for four trajectories.
fn lastColumns(weights : u32, local : u32) {
  let layer = LAYERS - 1u;
  let inputs = WIDTHS[layer];
  let out = WIDTHS[LAYERS];
  for (var k = local; k < 2u * out; k += GROUP) {
    let j = k / 2u;
    var y = vec4f();
    if (HAS_BIAS) { y = vec4f(weightAt(weights + BIASES_AT[layer] + j)); }
    for (var i = 0u; i < inputs; i++) {
      y = fma(hidden[2u * i + (k & 1u)], vec4f(weightAt(weights + WEIGHTS_AT[layer] + i * out + j)), y);
    }
    logits[k] = y;
  }
}

fn sharedChain(weights : u32, local : u32) {
  let half = local & 1u;
  let j = (local / 2u) * 4u;
  for (var layer = 0u; layer + 1u < LAYERS; layer++) {
    let out = WIDTHS[layer + 1u];
    var y : Block;
    if (j < out) {
      if (layer == 0u) { y = sparseBlock(weights, j, half); } else { y = hiddenBlock(layer, weights, j, half); }
    }
    workgroupBarrier(); // the last layer's numbers are read
    if (j < out) { keepBlock(j, half, out, y); }
    workgroupBarrier();
  }
  lastColumns(weights, local);
  workgroupBarrier();
}
