// All steps of a gated recurrent unit in one dispatch, with the sums of gruCell.wgsl: where memory of a workgroup is fast. A workgroup
// walks through four trajectories. Of each sum over the memory an invocation first adds up every fourth product, of all four,
// with weights that it keeps; then it makes one number of one of them. What they remember is in memory of the workgroup.
//
// Linked after unit.wgsl, everyStep.wgsl or listedSteps.wgsl, kept.wgsl and MEMORY, the numbers of a memory, at most 64, with
// LANES, four times as many.
//
// theta : [S, size]     x : [S, B·T, 3H]     after : [S, B·T, H] h_t

struct Dims { B : u32, T : u32, H : u32, size : u32, weightAt : u32, biasAt : u32 }

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       theta : array<f32>;
@group(0) @binding(2) var<storage, read>       x     : array<f32>;
@group(0) @binding(3) var<storage, read_write> after : array<f32>;

const QUARTER = (MEMORY + 3u) / 4u;

var<private> weights : array<vec3f, QUARTER>;
/// [trajectory][number]
var<workgroup> memory : array<f32, LANES>;
/// [gate][trajectory][invocation]
var<workgroup> sums : array<f32, 12u * LANES>;

fn sumOf(gate : u32, r : u32, k : u32) -> f32 {
  let at = (4u * gate + r) * LANES + k;
  return (sums[at] + sums[at + MEMORY]) + (sums[at + 2u * MEMORY] + sums[at + 3u * MEMORY]);
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let first = 4u * (group.x + group.y * 65535u);
  let s = group.z;
  let k = local % MEMORY;
  let r = local / MEMORY;
  var steps = 0u;
  var most = 0u;
  for (var q = 0u; q < 4u; q++) {
    if (first + q >= dims.B) { break; }
    let long = stepsOf(s, first + q);
    most = max(most, long);
    if (q == r) { steps = long; }
  }
  let bias = s * dims.size + dims.biasAt + k;
  let c = vec3f(theta[bias], theta[bias + MEMORY], theta[bias + 2u * MEMORY]);
  for (var m = 0u; m < QUARTER; m++) {
    let j = 4u * m + r;
    if (j >= MEMORY) { break; }
    let w = s * dims.size + dims.weightAt + j * 3u * MEMORY + k;
    weights[m] = vec3f(theta[w], theta[w + MEMORY], theta[w + 2u * MEMORY]);
  }
  var held = 0.0;
  for (var t = 0u; t < most; t++) {
    if (t > 0u) {
      var ofR = vec4f();
      var ofZ = vec4f();
      var ofN = vec4f();
      for (var m = 0u; m < QUARTER; m++) {
        let j = 4u * m + r;
        if (j >= MEMORY) { break; }
        let h = vec4f(memory[j], memory[MEMORY + j], memory[2u * MEMORY + j], memory[3u * MEMORY + j]);
        ofR += h * weights[m].x;
        ofZ += h * weights[m].y;
        ofN += h * weights[m].z;
      }
      for (var q = 0u; q < 4u; q++) {
        sums[q * LANES + local] = ofR[q];
        sums[(4u + q) * LANES + local] = ofZ[q];
        sums[(8u + q) * LANES + local] = ofN[q];
      }
    }
    workgroupBarrier();
    if (t < steps) {
      var u = c;
      if (t > 0u) { u += vec3f(sumOf(0u, r, k), sumOf(1u, r, k), sumOf(2u, r, k)); }
      let step = stepAt(s, first + r, t);
      let at = step * 3u * MEMORY + k;
      let gate = gatesOf(vec3f(x[at], x[at + MEMORY], x[at + 2u * MEMORY]), u);
      let h = remembered(gate, held);
      keepStep(step, k, held, vec4f(gate, u.z), h);
      held = h;
      memory[r * MEMORY + k] = h;
    }
    workgroupBarrier();
  }
}
