// y of a trajectory = x of its task. One invocation per trajectory.
//
// x : [S, P]     taskIndex, y : [S, B]

struct Dims { S : u32, B : u32, P : u32 }

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       x         : array<f32>;
@group(0) @binding(2) var<storage, read>       taskIndex : array<u32>;
@group(0) @binding(3) var<storage, read_write> y         : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id : vec3u) {
  if (id.x >= dims.S * dims.B) { return; }
  y[id.x] = x[id.x / dims.B * dims.P + taskIndex[id.x]];
}
