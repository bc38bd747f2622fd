// Backward pass of gate.wgsl. d holds ∂out and becomes ∂x as far as it does not come through a product; the products'
// gradients go on through the matrices. One invocation per (row, column).
//   kind 0        dy = ∂out                       kinds 1 2 3   dy (0 where y, a ReLU, is not positive), da
//   kind 5        dy = ∂out where y, a ReLU, is positive, else 0
//   kind 4        dy holds ∂h instead, and da
//
// rows : [S, stride]     x, y, a, h, d, dy, da : [S, maxRows, D]; a = σ(…), h = tanh(…) of the forward pass

struct Dims { which : u32, stride : u32, maxRows : u32, D : u32, kind : u32 }

@group(0) @binding(0) var<uniform>             dims : Dims;
@group(0) @binding(1) var<storage, read>       rows : array<u32>;
@group(0) @binding(2) var<storage, read>       x    : array<f32>;
@group(0) @binding(3) var<storage, read>       y    : array<f32>;
@group(0) @binding(4) var<storage, read>       a    : array<f32>;
@group(0) @binding(5) var<storage, read>       h    : array<f32>;
@group(0) @binding(6) var<storage, read_write> d    : array<f32>;
@group(0) @binding(7) var<storage, read_write> dy   : array<f32>;
@group(0) @binding(8) var<storage, read_write> da   : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  if (id / dims.D >= rows[s * dims.stride + dims.which]) { return; }
  let k = s * dims.maxRows * dims.D + id;
  let g = d[k];
  if (dims.kind == 0u) {
    dy[k] = g;
    return;
  }
  if (dims.kind == 5u) {
    dy[k] = select(0.0, g, y[k] > 0.0);
    return;
  }
  let z = a[k];
  let slope = z * (1.0 - z);
  if (dims.kind == 4u) {
    da[k] = g * h[k] * slope;
    dy[k] = g * z * (1.0 - h[k] * h[k]);
    return;
  }
  var toY = g;
  if (dims.kind == 1u) {
    d[k] = g * z;
    da[k] = g * x[k] * slope;
  } else if (dims.kind == 2u) {
    toY = g * z;
    da[k] = g * y[k] * slope;
  } else {
    d[k] = g * z;
    toY = g * (1.0 - z);
    da[k] = g * (x[k] - y[k]) * slope;
  }
  dy[k] = select(0.0, toY, y[k] > 0.0);
}
