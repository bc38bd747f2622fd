// A step that led too far from the reference is cut. At step k of an update:
//
//   hold    before the step: before = θ
//   judge   behind a look at its minibatch with the new θ: share = min(1, limit / KL), KL the mean over its steps
//   cut     behind that: θ = before + share·(θ − before), where the share is below 1
//
// One invocation per parameter, one workgroup per replica with a fixed tree, one invocation per parameter. A replica that
// takes no further step in this update keeps nothing of it: its share is not counted.
//
// stats : [S, B·T, 6], the third number is the KL to the reference of a step     plan : [S, B, 2] = weight, length
// theta, before : [S, size]     record : [S, 16], the first 1 if stopped (klStop), the sixth the sum of shares, the seventh the share

struct Dims { B : u32, T : u32, size : u32, k : u32, limit : f32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       stats  : array<f32>;
@group(0) @binding(2) var<storage, read>       plan   : array<f32>;
@group(0) @binding(3) var<storage, read_write> theta  : array<f32>;
@group(0) @binding(4) var<storage, read_write> before : array<f32>;
@group(0) @binding(5) var<storage, read_write> record : array<f32>;

var<workgroup> sums : array<vec2f, 64>;

@compute @workgroup_size(64)
fn hold(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.size) { return; }
  let at = group.z * dims.size + id;
  before[at] = theta[at];
}

@compute @workgroup_size(64)
fn judge(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  var sum = vec2f();
  for (var i = local; i < dims.B; i += 64u) {
    let row = s * dims.B + i;
    if (plan[2u * row] == 0.0) { continue; }
    for (var t = 0u; t < u32(plan[2u * row + 1u]); t++) { sum += vec2f(stats[(row * dims.T + t) * 6u + 2u], 1.0); }
  }
  sums[local] = sum;
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (local < half) { sums[local] += sums[local + half]; }
    workgroupBarrier();
  }
  if (local != 0u) { return; }
  let at = 16u * s;
  var share = 1.0;
  if (sums[0].x > dims.limit * sums[0].y) { share = dims.limit * sums[0].y / sums[0].x; }
  if (dims.k == 0u) { record[at + 5u] = 0.0; }
  if (record[at] == 0.0) { record[at + 5u] += share; }
  record[at + 6u] = share;
}

@compute @workgroup_size(64)
fn cut(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.size) { return; }
  let share = record[16u * group.z + 6u];
  if (share >= 1.0) { return; }
  let at = group.z * dims.size + id;
  theta[at] = before[at] + share * (theta[at] - before[at]);
}
