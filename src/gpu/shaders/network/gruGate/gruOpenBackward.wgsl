// Backward pass of gruOpen from ∂(r ⊙ x): ∂ of r's sum goes into the first part of dpy, ∂ of both sums into dpx, and
// d += ∂(r ⊙ x) ⊙ r. One invocation per (row, column).
//
// rows : [S, stride]     rz : [S, maxRows, 2, D]     x, drx, d : [S, maxRows, D]     dpy : [S, maxRows, 3D]
// dpx : [S, maxRows, 2D]

struct Dims { which : u32, stride : u32, maxRows : u32, D : u32 }

@group(0) @binding(0) var<uniform>             dims : Dims;
@group(0) @binding(1) var<storage, read>       rows : array<u32>;
@group(0) @binding(2) var<storage, read>       rz   : array<f32>;
@group(0) @binding(3) var<storage, read>       x    : array<f32>;
@group(0) @binding(4) var<storage, read>       drx  : array<f32>;
@group(0) @binding(5) var<storage, read_write> d    : array<f32>;
@group(0) @binding(6) var<storage, read_write> dpy  : array<f32>;
@group(0) @binding(7) var<storage, read_write> dpx  : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  if (id / dims.D >= rows[s * dims.stride + dims.which]) { return; }
  let D = dims.D;
  let j = id % D;
  let row = s * dims.maxRows + id / D;
  let k = row * D + j;
  let r = rz[row * 2u * D + j];
  let dr = drx[k] * x[k] * r * (1.0 - r);
  d[k] += drx[k] * r;
  dpy[row * 3u * D + j] = dr;
  dpx[row * 2u * D + j] = dr;
  dpx[row * 2u * D + D + j] = dpy[row * 3u * D + D + j];
}
