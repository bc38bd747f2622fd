// Second stage: h = tanh(y·W_h + (r ⊙ x)·U_h), out = (1 − z) ⊙ x + z ⊙ h. One invocation per (row, column).
//
// rows : [S, stride]     py : [S, maxRows, 3D]     pg : [S, maxRows, D] = (r ⊙ x)·U_h     rz : [S, maxRows, 2, D]
// x, h, out : [S, maxRows, D]

struct Dims { which : u32, stride : u32, maxRows : u32, D : u32 }

@group(0) @binding(0) var<uniform>             dims : Dims;
@group(0) @binding(1) var<storage, read>       rows : array<u32>;
@group(0) @binding(2) var<storage, read>       py   : array<f32>;
@group(0) @binding(3) var<storage, read>       pg   : array<f32>;
@group(0) @binding(4) var<storage, read>       rz   : array<f32>;
@group(0) @binding(5) var<storage, read>       x    : array<f32>;
@group(0) @binding(6) var<storage, read_write> h    : array<f32>;
@group(0) @binding(7) var<storage, read_write> out  : array<f32>;

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
  // tanh is held to ±1 for large arguments, where some devices return NaN
  h[k] = tanh(clamp(py[row * 3u * D + 2u * D + j] + pg[k], -20.0, 20.0));
  out[k] = (1.0 - z) * x[k] + z * h[k];
}
