// log π of another policy on the stored actions: logp + Δ on real steps, 0 on padding. One invocation per step.
//
// logp, y : [rows, cols]     stats : [rows·cols, 6], the fifth number is Δ (see coefficients)

struct Dims { rows : u32, cols : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       logp   : array<f32>;
@group(0) @binding(2) var<storage, read>       stats  : array<f32>;
@group(0) @binding(3) var<storage, read>       length : array<u32>;
@group(0) @binding(4) var<storage, read_write> y      : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.rows * dims.cols) { return; }
  y[id] = 0.0;
  if (id % dims.cols < length[id / dims.cols]) { y[id] = logp[id] + stats[id * 6u + 4u]; }
}
