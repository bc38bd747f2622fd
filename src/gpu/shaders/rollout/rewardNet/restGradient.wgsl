// Gradient of what no feature owns in a model of rewards: U by action where it reads them, b₁, w₂ and b₂; and one more step of
// its optimizer is counted, unless the replica `rests`. 33 workgroups per replica: one for each action, one for the others. Four
// strands of rows for each hidden unit, joined in order. A model that `compares` what it says has no slope by b₂, which shifts all
// of it: Adam would follow its rounding.
//
// slope : [S, states], 0 where nothing was reached     hidden, d : [S, states, 16]     action : [S, B, T]
// gradient : [S, 545]     steps : [S, 2], the first one counts     rests : [S]

struct Dims { states : u32, T : u32, byAction : u32, compares : u32 }

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       slope    : array<f32>;
@group(0) @binding(2) var<storage, read>       hidden   : array<f32>;
@group(0) @binding(3) var<storage, read>       d        : array<f32>;
@group(0) @binding(4) var<storage, read>       action   : array<u32>;
@group(0) @binding(5) var<storage, read_write> gradient : array<f32>;
@group(0) @binding(6) var<storage, read_write> steps    : array<u32>;
@group(0) @binding(7) var<storage, read>       rests    : array<u32>;

var<workgroup> strands : array<vec3f, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  let j = local % 16u;
  let width = dims.T + 1u;
  let isRest = group.x == 32u;
  // of d, slope·h and the slope alone
  var sums = vec3f();
  if (isRest || dims.byAction == 1u) {
    for (var n = local / 16u; n < dims.states; n += 4u) {
      let k = s * dims.states + n;
      let x = slope[k];
      if (x == 0.0) { continue; }
      if (!isRest && action[k / width * dims.T + k % width] % 32u != group.x) { continue; }
      sums += vec3f(d[16u * k + j], x * hidden[16u * k + j], x);
    }
  }
  strands[local] = sums;
  workgroupBarrier();
  if (local >= 16u) { return; }
  sums = strands[j] + strands[j + 16u] + strands[j + 32u] + strands[j + 48u];
  let at = 545u * s;
  if (!isRest) {
    gradient[at + 16u * group.x + j] = sums.x;
    return;
  }
  gradient[at + 512u + j] = sums.x;
  gradient[at + 528u + j] = sums.y;
  if (j == 0u) {
    gradient[at + 544u] = select(sums.z, 0.0, dims.compares == 1u);
    steps[2u * s] += 1u - rests[s];
  }
}
