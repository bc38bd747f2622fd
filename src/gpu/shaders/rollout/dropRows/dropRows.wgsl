// Trajectories that are left out of the update belong to no minibatch of any epoch: the highest bit marks them, behind which
// stands whose place they had. The last look at the whole batch, after the epochs, still counts them. One invocation per
// trajectory.
//
// keep : [S·B], 0 = left out     member : [epochs (+ 1), S·B] minibatch of each trajectory

struct Dims { rows : u32, epochs : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       keep   : array<f32>;
@group(0) @binding(2) var<storage, read_write> member : array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id : vec3u) {
  if (id.x >= dims.rows || keep[id.x] != 0.0) { return; }
  for (var e = 0u; e < dims.epochs; e++) { member[e * dims.rows + id.x] |= 0x80000000u; }
}
