// How gradients of the first layer add up, where rows have outputs in multiples of 4: see sparseGradientAny.wgsl.
//
// bits : words as in sparseForward     dY : [S, maxRows, out/4]

struct Dims {
  rows : u32, out : u32, words : u32, B : u32,
  inner : u32, outerStride : u32, innerStride : u32, base : u32, features : u32,
  slices : u32, size : u32, weightAt : u32, biasAt : u32, hasBias : u32, maxRows : u32, stride : u32,
}

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       bits     : array<u32>;
@group(0) @binding(2) var<storage, read>       dY       : array<vec4f>;

var<private> held : u32;
var<private> run  : vec4f;
var<private> totals : array<vec4f, 32>;

/// The sum so far goes to the features of the word that was held.
fn give() { for (var left = held; left != 0u; left &= left - 1u) { totals[countTrailingZeros(left)] += run; } }

fn take(word : u32, y : vec4f) {
  // padding holds the bits of earlier batches: it must not part a run, or the sums would remember them
  if (word == 0u || all((bitcast<vec4u>(y) & vec4u(0x7fffffffu)) == vec4u())) { return; }
  if (word != held) {
    give();
    held = word;
    run = vec4f();
  }
  run += y;
}
