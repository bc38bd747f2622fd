// Backward pass of gruJoin: d holds ∂out and becomes ∂out ⊙ (1 − z), the part of ∂x that goes straight through;
// ∂ of z's sum and of h's sum go into the second and third part of dpy, the latter also into dpg.
// One invocation per (row, column).
//
// rows : [S, stride]     rz : [S, maxRows, 2, D]     x, h, d, dpg : [S, maxRows, D]     dpy : [S, maxRows, 3D]

struct Dims { which : u32, stride : u32, maxRows : u32, D : u32 }

@group(0) @binding(0) var<uniform>             dims : Dims;
@group(0) @binding(1) var<storage, read>       rows : array<u32>;
@group(0) @binding(2) var<storage, read>       rz   : array<f32>;
@group(0) @binding(3) var<storage, read>       x    : array<f32>;
@group(0) @binding(4) var<storage, read>       h    : array<f32>;
@group(0) @binding(5) var<storage, read_write> d    : array<f32>;
@group(0) @binding(6) var<storage, read_write> dpy  : array<f32>;
@group(0) @binding(7) var<storage, read_write> dpg  : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  if (id / dims.D >= rows[s * dims.stride + dims.which]) { return; }
  let D = dims.D;
  let j = id % D;
  let row = s * dims.maxRows + id / D;
  let k = row * D + j;
  let z = rz[row * 2u * D + D + j];
  let g = d[k];
  let dh = g * z * (1.0 - h[k] * h[k]);
  dpy[row * 3u * D + D + j] = g * (h[k] - x[k]) * z * (1.0 - z);
  dpy[row * 3u * D + 2u * D + j] = dh;
  dpg[k] = dh;
  d[k] = g * (1.0 - z);
}
