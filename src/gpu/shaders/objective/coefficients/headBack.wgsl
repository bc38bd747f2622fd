// The way back through the layer of head.wgsl, by what each step has learned. Linked after layerAct.wgsl and head.wgsl.
//
// dX : as X, ∂L by what the activation was made from
@group(0) @binding(6) var<storage, read_write> dX : array<vec4f>;

fn giveBack(group : vec3u, local : u32, at : Place) {
  if (at.step == NONE) { return; }
  let x = at.z / OUTPUTS * (INPUTS / 4u);
  for (var i = 0u; i < INPUTS / 4u; i++) {
    let w = 4u * i * OUTPUTS;
    var sum = vec4f();
    for (var c = 0u; c < OUTPUTS; c++) {
      let column = vec4f(W[w + c], W[w + OUTPUTS + c], W[w + 2u * OUTPUTS + c], W[w + 3u * OUTPUTS + c]);
      sum = fma(vec4f(slopes[own_ + c]), column, sum);
    }
    let h = X[x + i];
    dX[x + i] = sum * vec4f(slope(h.x), slope(h.y), slope(h.z), slope(h.w));
  }
}
