// One more level of sets: credit += w·Normalize(x) and weight += w on steps whose set can be compared. With `first` both
// start at 0, padding included. One invocation per step, which reads what setStats wrote down at the first step of its set.
//
// x, credit, weight : [S, B, T]     head : [S, B, T] of keyMatch     stats : [S, B, T, 2] of setStats

struct Dims { B : u32, T : u32, first : u32, w : f32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       x      : array<f32>;
@group(0) @binding(2) var<storage, read>       head   : array<u32>;
@group(0) @binding(3) var<storage, read>       stats  : array<f32>;
@group(0) @binding(4) var<storage, read_write> credit : array<f32>;
@group(0) @binding(5) var<storage, read_write> weight : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.B * dims.T) { return; }
  let start = group.z * dims.B * dims.T;
  let k = start + id;
  if (dims.first == 1u) {
    credit[k] = 0.0;
    weight[k] = 0.0;
  }
  if (head[k] == 0xffffffffu) { return; }
  let at = 2u * (start + head[k]);
  let divisor = stats[at + 1u];
  if (divisor == 0.0) { return; }
  credit[k] += dims.w * ((x[k] - stats[at]) / divisor);
  weight[k] += dims.w;
}
