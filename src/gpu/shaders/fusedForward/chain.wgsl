// A chain of dense layers for one observation, all by one invocation: what sparseForward, denseForward and activate do in
// dispatches of their own, with the same sums in the same order, so that both ways agree in every bit.
//
// Linked behind act.wgsl and constants of the network:
//   LAYERS, WIDEST                    dense layers, the last one included, and the largest width behind an observation
//   WIDTHS, WEIGHTS_AT, BIASES_AT     [F, h₁, …, n], and where each layer's tensors start in the weights of a replica
//   HAS_BIAS, BIT_WORDS               u32 words that hold the F bits
// The kernel has `obs` and `theta`. `chain` leaves the outputs in chainOut[0 … n).

var<private> chainOut : array<f32, WIDEST>;
var<private> chainIn : array<f32, WIDEST>;

/// Sixteen columns at a time stay in registers; columns beyond the last repeat it and are not kept.
fn sparseLayer(obsAt : u32, weights : u32) {
  let out = WIDTHS[1];
  let last = out - 1u;
  let W = weights + WEIGHTS_AT[0];
  for (var j = 0u; j < out; j += 16u) {
    var a = vec4f();
    var b = vec4f();
    var c = vec4f();
    var d = vec4f();
    if (HAS_BIAS) {
      let bias = weights + BIASES_AT[0];
      a = fourOf(bias, j, last);
      b = fourOf(bias, j + 4u, last);
      c = fourOf(bias, j + 8u, last);
      d = fourOf(bias, j + 12u, last);
    }
    for (var w = 0u; w < BIT_WORDS; w++) {
      var word = obs[obsAt + w];
      while (word != 0u) {
        let row = W + (w * 32u + countTrailingZeros(word)) * out;
        word &= word - 1u;
        a += fourOf(row, j, last);
        b += fourOf(row, j + 4u, last);
        c += fourOf(row, j + 8u, last);
        d += fourOf(row, j + 12u, last);
      }
    }
    keepFour(j, out, a);
    keepFour(j + 4u, out, b);
    keepFour(j + 8u, out, c);
    keepFour(j + 12u, out, d);
  }
}

fn denseLayer(layer : u32, weights : u32) {
  let inputs = WIDTHS[layer];
  let out = WIDTHS[layer + 1u];
  let last = out - 1u;
  let W = weights + WEIGHTS_AT[layer];
  for (var j = 0u; j < out; j += 8u) {
    var a = vec4f();
    var b = vec4f();
    for (var i = 0u; i < inputs; i++) {
      let row = W + i * out;
      a += chainIn[i] * fourOf(row, j, last);
      b += chainIn[i] * fourOf(row, j + 4u, last);
    }
    if (HAS_BIAS) {
      let bias = weights + BIASES_AT[layer];
      a += fourOf(bias, j, last);
      b += fourOf(bias, j + 4u, last);
    }
    keepFour(j, out, a);
    keepFour(j + 4u, out, b);
  }
}

fn fourOf(row : u32, j : u32, last : u32) -> vec4f {
  return vec4f(theta[row + min(j, last)], theta[row + min(j + 1u, last)], theta[row + min(j + 2u, last)], theta[row + min(j + 3u, last)]);
}

fn keepFour(j : u32, out : u32, y : vec4f) {
  for (var c = 0u; c < 4u; c++) { if (j + c < out) { chainOut[j + c] = y[c]; } }
}

fn chain(obsAt : u32, weights : u32) {
  sparseLayer(obsAt, weights);
  for (var layer = 1u; layer < LAYERS; layer++) {
    for (var k = 0u; k < WIDTHS[layer]; k++) { chainIn[k] = activated(chainOut[k]); }
    denseLayer(layer, weights);
  }
}
