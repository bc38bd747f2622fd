// Normalize over sets: y = (x − mean)/(std + 1e-6), or x − mean (mode 1), over all steps with the same head; sets of one,
// sets that agree and steps in no set are exactly 0. Mode 2: the mean. One invocation per step, which reads what setStats
// wrote down at the first step of its set, so all members use the same bits.
//
// x, y : [S, B, T]     head : [S, B, T] of keyMatch     stats : [S, B, T, 2] of setStats

struct Dims { B : u32, T : u32, mode : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       x      : array<f32>;
@group(0) @binding(2) var<storage, read>       head   : array<u32>;
@group(0) @binding(3) var<storage, read>       stats  : array<f32>;
@group(0) @binding(4) var<storage, read_write> y      : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.B * dims.T) { return; }
  let start = group.z * dims.B * dims.T;
  let k = start + id;
  y[k] = 0.0;
  if (head[k] == 0xffffffffu) { return; }
  let first = 2u * (start + head[k]);
  if (dims.mode == 2u) { y[k] = stats[first]; return; }
  let divisor = stats[first + 1u];
  if (divisor == 0.0) { return; }
  y[k] = (x[k] - stats[first]) / divisor;
}
