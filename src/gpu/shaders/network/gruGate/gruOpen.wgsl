// First stage of the gated recurrent unit as a gate (GTrXL, arXiv 1910.06764):
//   r = σ(y·W_r + x·U_r)     z = σ(y·W_z + x·U_z − b)     rx = r ⊙ x
// One invocation per (row, column).
//
// rows : [S, stride], word `which` counts live rows     py : [S, maxRows, 3D] = y·(W_r, W_z, W_h)
// px : [S, maxRows, 2D] = x·(U_r, U_z)     x, rx : [S, maxRows, D]     theta : [S, size]     rz : [S, maxRows, 2, D] = r, z

struct Dims { which : u32, stride : u32, maxRows : u32, D : u32, size : u32, biasAt : u32 }

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       rows  : array<u32>;
@group(0) @binding(2) var<storage, read>       py    : array<f32>;
@group(0) @binding(3) var<storage, read>       px    : array<f32>;
@group(0) @binding(4) var<storage, read>       x     : array<f32>;
@group(0) @binding(5) var<storage, read>       theta : array<f32>;
@group(0) @binding(6) var<storage, read_write> rz    : array<f32>;
@group(0) @binding(7) var<storage, read_write> rx    : array<f32>;

/// What exp makes of more than 88 is not said.
fn sigmoid(v : f32) -> f32 { return 1.0 / (1.0 + exp(select(-v, 87.0, v < -87.0))); }

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  if (id / dims.D >= rows[s * dims.stride + dims.which]) { return; }
  let D = dims.D;
  let j = id % D;
  let row = s * dims.maxRows + id / D;
  let r = sigmoid(py[row * 3u * D + j] + px[row * 2u * D + j]);
  let b = theta[s * dims.size + dims.biasAt + j];
  rz[row * 2u * D + j] = r;
  rz[row * 2u * D + D + j] = sigmoid(py[row * 3u * D + D + j] + px[row * 2u * D + D + j] - b);
  rx[row * D + j] = r * x[row * D + j];
}
