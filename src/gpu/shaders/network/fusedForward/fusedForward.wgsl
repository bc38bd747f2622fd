// Forward pass of one slot of all trajectories: Y[s, i, :] = the network's outputs for the observation of trajectory i.
// One invocation per trajectory; replicas in z. Linked after chain.wgsl.
//
// obs : [S, B] observations, `outerStride` words apart, the slot at `base`     Y : [S, maxRows, n]

struct Dims { B : u32, outerStride : u32, base : u32, size : u32, maxRows : u32, kind : u32 }

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       obs   : array<u32>;
@group(0) @binding(3) var<storage, read_write> Y     : array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = (group.x + group.y * 65535u) * 32u + local;
  if (i >= dims.B) { return; }
  let s = group.z;
  chain((s * dims.B + i) * dims.outerStride + dims.base, s * dims.size);
  let n = WIDTHS[LAYERS];
  for (var k = 0u; k < n; k++) { Y[(s * dims.maxRows + i) * n + k] = chainOut[k]; }
}
