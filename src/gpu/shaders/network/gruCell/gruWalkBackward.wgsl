// The way back through all steps in one dispatch, with the sums of gruCellBackward.wgsl: see gruWalk.wgsl, whose order of work and
// links it has, with unitBack.wgsl in the place of unit.wgsl and kept.wgsl.
//
// theta : [S, size]     gates : [S, B·T, 4H]     before : [S, B·T, H]     dH : [S, B·T, H] that of the head alone
// dX, dU : [S, B·T, 3H]

struct Dims { B : u32, T : u32, H : u32, unroll : u32, size : u32, weightAt : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       theta  : array<f32>;
@group(0) @binding(4) var<storage, read>       dH     : array<f32>;

const WIDE = 3u * MEMORY;
const QUARTER = (WIDE + 3u) / 4u;

var<private> weights : array<f32, QUARTER>;
/// [trajectory][3H] ∂u of the step after
var<workgroup> blamed : array<f32, 4u * WIDE>;
/// [trajectory][invocation]
var<workgroup> sums : array<f32, 4u * LANES>;

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
  for (var m = 0u; m < QUARTER; m++) {
    let j = 4u * m + r;
    if (j >= WIDE) { break; }
    weights[m] = theta[s * dims.size + dims.weightAt + k * WIDE + j];
  }
  var next = 0.0;   // z·∂h of the step after
  for (var t = most; t > 0u; t--) {
    var sum = vec4f();
    for (var m = 0u; m < QUARTER; m++) {
      let j = 4u * m + r;
      if (j >= WIDE) { break; }
      sum += vec4f(blamed[j], blamed[WIDE + j], blamed[2u * WIDE + j], blamed[3u * WIDE + j]) * weights[m];
    }
    for (var q = 0u; q < 4u; q++) { sums[q * LANES + local] = sum[q]; }
    workgroupBarrier();
    if (t <= steps) {
      let step = stepAt(s, first + r, t - 1u);
      var d = dH[step * MEMORY + k];
      let isCut = dims.unroll > 0u && t % max(dims.unroll, 1u) == 0u;
      if (t < steps && !isCut) {
        let at = r * LANES + k;
        d += next;
        d += (sums[at] + sums[at + MEMORY]) + (sums[at + 2u * MEMORY] + sums[at + 3u * MEMORY]);
      }
      let u = blame(step, k, d);
      let mine = r * WIDE + k;
      blamed[mine] = u.x;
      blamed[mine + MEMORY] = u.y;
      blamed[mine + 2u * MEMORY] = u.z;
      next = d * gates[step * 4u * MEMORY + MEMORY + k];
    }
    workgroupBarrier();
  }
}
