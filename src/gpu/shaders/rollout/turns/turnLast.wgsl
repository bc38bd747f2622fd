// Keeps what stands after the last step of the trajectories whose last step falls into the present turn; y of the others
// is left alone. One invocation per trajectory; replicas in z.
//
// turns : [S, B, 2] first step of a trajectory's turn, and the step after its last     length : [S, B], 0: has not ended
// x : [S, maxRows, n], row = trajectory     y : [S, B, n]

struct Dims { B : u32, maxRows : u32, n : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       turns  : array<u32>;
@group(0) @binding(2) var<storage, read>       length : array<u32>;
@group(0) @binding(3) var<storage, read>       x      : array<f32>;
@group(0) @binding(4) var<storage, read_write> y      : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = group.x * 64u + local;
  if (i >= dims.B) { return; }
  let s = group.z;
  let row = s * dims.B + i;
  if (length[row] <= turns[2u * row] || length[row] > turns[2u * row + 1u]) { return; }
  for (var k = 0u; k < dims.n; k++) { y[row * dims.n + k] = x[(s * dims.maxRows + i) * dims.n + k]; }
}
