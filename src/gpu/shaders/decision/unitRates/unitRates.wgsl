// Rates of a step whose length does not depend on what it follows: the learning rate divided by the length of its
// direction, 0 without one. One invocation per replica.
//
// rates : [steps, 4] = lr, two numbers that stay, unused; with `perReplica` 1 [S, 4]     norms : [S, 2], first the length
// unit : [S, 4]

struct Dims { S : u32, k : u32, perReplica : u32 }

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       rates : array<vec4f>;
@group(0) @binding(2) var<storage, read>       norms : array<f32>;
@group(0) @binding(3) var<storage, read_write> unit  : array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id : vec3u) {
  let s = id.x;
  if (s >= dims.S) { return; }
  let rate = rates[dims.k + s * dims.perReplica];
  let length = norms[2u * s];
  unit[s] = vec4f(select(0.0, rate.x / length, length > 0.0), rate.yzw);
}
