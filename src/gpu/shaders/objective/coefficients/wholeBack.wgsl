// The way back to the hidden layer of whole.wgsl, by what each step has learned, and what gradients read of it.
//
// H, dX : [S, B·T, INPUTS/4], by rows of the list: what the activation has made, and ∂L by what it was made from
@group(0) @binding(1) var<storage, read_write> X  : array<vec4f>;
@group(0) @binding(6) var<storage, read_write> dX : array<vec4f>;

fn keepHidden(at : u32, h : vec4f) { X[at] = h; }

fn giveBack(group : vec3u, local : u32, at : Place) {
  let seats = seatsOf(group);
  if (seats == 0u) { return; }
  workgroupBarrier();
  for (var id = local; id < seats * FOURS; id += GROUP) {
    let r = id / FOURS;
    let j = id % FOURS;
    let w = 4u * j * OUTPUTS;
    var sum = vec4f();
    for (var c = 0u; c < OUTPUTS; c++) {
      let column = vec4f(W[w + c], W[w + OUTPUTS + c], W[w + 2u * OUTPUTS + c], W[w + 3u * OUTPUTS + c]);
      sum = fma(vec4f(slopes[r * OUTPUTS + c]), column, sum);
    }
    let h = hidden[id];
    dX[hiddenAt(group, r, j)] = sum * vec4f(slope(h.x), slope(h.y), slope(h.z), slope(h.w));
  }
}
