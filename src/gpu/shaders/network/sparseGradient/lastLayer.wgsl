// The gradient of the last layer over the same slice of the rows, in workgroups behind those of sparseGradientTiled.wgsl:
// dW = Xᵀ·dOut and db = Σ dOut. A dispatch of its own would wait for the one before it, and so few invocations leave most of a
// graphics device alone. One invocation per 4 neighbors of the parameters, which may be of several inputs; a workgroup brings 16 rows at a
// time into its memory. Rows in ascending order, one fma each: the bits of denseGradientAny.wgsl. With constants:
//   FIRST_GROUPS      workgroups in x of the first layer
//   INPUTS, OUTPUTS   of the last one, INPUTS a multiple of four, OUTPUTS at least that
//   LAST_WEIGHT_AT, LAST_BIAS_AT   multiples of four, and BIASES, OUTPUTS or none
//
// X : [S, maxRows, INPUTS/4]     dOut : [S, maxRows, OUTPUTS]

@group(0) @binding(4) var<storage, read> X    : array<vec4f>;
@group(0) @binding(5) var<storage, read> dOut : array<f32>;

const STEPS = 16u;
const ALL_FOURS = INPUTS / 4u;
/// Fours of the inputs that 256 neighbors are of, at most.
const FOURS = 64u / OUTPUTS + 2u;
const WEIGHTS = ALL_FOURS * OUTPUTS;
var<workgroup> tileX   : array<f32, STEPS * FOURS * 4u>;
var<workgroup> tileOut : array<f32, STEPS * OUTPUTS>;

fn lastLayer(group : vec3u, local : u32) -> bool {
  if (group.x < FIRST_GROUPS) { return false; }
  let s = group.z;
  let first = (group.x - FIRST_GROUPS) * 64u;
  let q = first + local;
  let isBias = q >= WEIGHTS;
  let own = 4u * select(q, q - WEIGHTS, isBias) + vec4u(0u, 1u, 2u, 3u);
  // the first of the fours that a workgroup has in its memory, and how many
  let four0 = first / OUTPUTS;
  let fours = max(1u, min(ALL_FOURS, (first + 63u) / OUTPUTS + 1u) - min(four0, ALL_FOURS));
  let i = select(own / OUTPUTS - 4u * four0, vec4u(), vec4<bool>(isBias));
  // neighbors behind the last bias repeat it; zeros are written there
  let c = select(own % OUTPUTS, min(own, vec4u(OUTPUTS - 1u)), vec4<bool>(isBias));
  let stretch = (rowsOf(s) + dims.slices - 1u) / dims.slices;
  let to = min(group.y * stretch + stretch, rowsOf(s));
  var sum = vec4f();
  for (var r0 = group.y * stretch; r0 < to; r0 += STEPS) {
    for (var id = local; id < STEPS * fours; id += 64u) {
      let k = id / fours;
      let f = id % fours;
      let x = X[(s * dims.maxRows + min(r0 + k, to - 1u)) * ALL_FOURS + min(four0 + f, ALL_FOURS - 1u)];
      let at = 4u * (k * FOURS + f);
      tileX[at] = x.x; tileX[at + 1u] = x.y; tileX[at + 2u] = x.z; tileX[at + 3u] = x.w;
    }
    for (var id = local; id < STEPS * OUTPUTS; id += 64u) {
      tileOut[id] = dOut[(s * dims.maxRows + min(r0 + id / OUTPUTS, to - 1u)) * OUTPUTS + id % OUTPUTS];
    }
    workgroupBarrier();
    let rows = min(STEPS, to - r0);
    for (var k = 0u; k < rows; k++) {
      let at = k * FOURS * 4u + i;
      let y = k * OUTPUTS + c;
      let x = vec4f(tileX[at.x], tileX[at.y], tileX[at.z], tileX[at.w]);
      let dY = vec4f(tileOut[y.x], tileOut[y.y], tileOut[y.z], tileOut[y.w]);
      sum = fma(select(x, vec4f(1.0), isBias), dY, sum);
    }
    workgroupBarrier();
  }
  let part = (s * dims.slices + group.y) * dims.size / 4u;
  if (!isBias) { partials[part + LAST_WEIGHT_AT / 4u + q] = sum; }
  if (isBias && own.x < BIASES) {
    partials[part + LAST_BIAS_AT / 4u + q - WEIGHTS] = select(vec4f(), sum, own < vec4u(OUTPUTS));
  }
  return true;
}
