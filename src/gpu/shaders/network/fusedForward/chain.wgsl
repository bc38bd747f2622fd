// A chain of dense layers for one observation, all by one invocation: what sparse and dense products and activations do in
// dispatches of their own, with the same sums in the same order, so that both ways agree in every bit.
//
// Linked after act.wgsl, evenWeights.wgsl or oddWeights.wgsl, and constants of the network:
//   LAYERS, WIDEST                    dense layers, the last one included, and the largest width behind an observation
//   WIDTHS, WEIGHTS_AT, BIASES_AT     [F, h₁, …, n], and where each layer's tensors start in the weights of a replica
//   HAS_BIAS, BIT_WORDS               u32 words that hold the F bits
// The kernel has `obs`. `chain` leaves the outputs in chainOut[0 … n). Four columns at a time are worked on; those beyond
// the last are other weights, and are not kept.

var<private> chainOut : array<f32, WIDEST>;
var<private> chainIn : array<f32, WIDEST>;

fn fourOf(k : u32) -> vec4f { return vec4f(weightAt(k), weightAt(k + 1u), weightAt(k + 2u), weightAt(k + 3u)); }
/// Four weights of the first layer: hidden layers may start at any multiple of four, the last layer anywhere.
fn fourOfFirst(k : u32) -> vec4f { if (LAYERS == 1u) { return fourOf(k); } return fourAt(k); }

fn keepFour(j : u32, out : u32, y : vec4f) {
  if (j < out) { chainOut[j] = y.x; }
  if (j + 1u < out) { chainOut[j + 1u] = y.y; }
  if (j + 2u < out) { chainOut[j + 2u] = y.z; }
  if (j + 3u < out) { chainOut[j + 3u] = y.w; }
}

// Sums start with the bias and go through the inputs in ascending order, one fma each; a set bit adds its row.

/// Sixteen columns at a time stay in registers.
fn sparseLayer(obsAt : u32, weights : u32) {
  let out = WIDTHS[1];
  let W = weights + WEIGHTS_AT[0];
  for (var j = 0u; j < out; j += 16u) {
    var a = vec4f();
    var b = vec4f();
    var c = vec4f();
    var d = vec4f();
    if (HAS_BIAS) {
      let bias = weights + BIASES_AT[0] + j;
      a = fourOfFirst(bias);
      b = fourOfFirst(bias + 4u);
      c = fourOfFirst(bias + 8u);
      d = fourOfFirst(bias + 12u);
    }
    for (var w = 0u; w < BIT_WORDS; w++) {
      var word = obs[obsAt + w];
      while (word != 0u) {
        let row = W + (w * 32u + countTrailingZeros(word)) * out + j;
        word &= word - 1u;
        a += fourOfFirst(row);
        b += fourOfFirst(row + 4u);
        c += fourOfFirst(row + 8u);
        d += fourOfFirst(row + 12u);
      }
    }
    keepFour(j, out, a);
    keepFour(j + 4u, out, b);
    keepFour(j + 8u, out, c);
    keepFour(j + 12u, out, d);
  }
}

fn hiddenLayer(layer : u32, weights : u32) {
  let inputs = WIDTHS[layer];
  let out = WIDTHS[layer + 1u];
  let W = weights + WEIGHTS_AT[layer];
  for (var j = 0u; j < out; j += 8u) {
    var a = vec4f();
    var b = vec4f();
    if (HAS_BIAS) {
      let bias = weights + BIASES_AT[layer] + j;
      a = fourAt(bias);
      b = fourAt(bias + 4u);
    }
    for (var i = 0u; i < inputs; i++) {
      let x = vec4f(chainIn[i]);
      let row = W + i * out + j;
      a = fma(x, fourAt(row), a);
      b = fma(x, fourAt(row + 4u), b);
    }
    keepFour(j, out, a);
    keepFour(j + 4u, out, b);
  }
}

fn lastLayer(weights : u32) {
  let layer = LAYERS - 1u;
  let inputs = WIDTHS[layer];
  let out = WIDTHS[layer + 1u];
  let W = weights + WEIGHTS_AT[layer];
  for (var j = 0u; j < out; j += 4u) {
    var y = vec4f();
    if (HAS_BIAS) { y = fourOf(weights + BIASES_AT[layer] + j); }
    for (var i = 0u; i < inputs; i++) { y = fma(vec4f(chainIn[i]), fourOf(W + i * out + j), y); }
    keepFour(j, out, y);
  }
}

fn chain(obsAt : u32, weights : u32) {
  sparseLayer(obsAt, weights);
  for (var layer = 1u; layer < LAYERS; layer++) {
    for (var k = 0u; k < WIDTHS[layer]; k++) { chainIn[k] = activated(chainOut[k]); }
    if (layer + 1u == LAYERS) { lastLayer(weights); } else { hiddenLayer(layer, weights); }
  }
}
