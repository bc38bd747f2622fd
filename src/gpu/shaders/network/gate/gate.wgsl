// Joins a sub-layer's output y to the stream x (GTrXL, arXiv 1910.06764). One invocation per (row, column).
//   kinds 0 5 none  x + y                      1 input    σ(a) ⊙ x + y              2 output  x + σ(a − b) ⊙ y
//   kind 3 highway  g ⊙ x + (1 − g) ⊙ y, g = σ(a + b)       4 sigtanh  x + σ(a − b) ⊙ tanh(h)
// a = x·W (sigtanh: y·W) becomes σ(…) in place, h = y·U becomes tanh(h): the backward pass needs those.
//
// rows : [S, stride], word `which` counts live rows     x, y, a, h, out : [S, maxRows, D]     theta : [S, size]

struct Dims { which : u32, stride : u32, maxRows : u32, D : u32, size : u32, biasAt : u32, kind : u32 }

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       rows  : array<u32>;
@group(0) @binding(2) var<storage, read>       x     : array<f32>;
@group(0) @binding(3) var<storage, read>       y     : array<f32>;
@group(0) @binding(4) var<storage, read>       theta : array<f32>;
@group(0) @binding(5) var<storage, read_write> a     : array<f32>;
@group(0) @binding(6) var<storage, read_write> h     : array<f32>;
@group(0) @binding(7) var<storage, read_write> out   : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  if (id / dims.D >= rows[s * dims.stride + dims.which]) { return; }
  let k = s * dims.maxRows * dims.D + id;
  if (dims.kind == 0u || dims.kind == 5u) {
    out[k] = x[k] + y[k];
    return;
  }
  var b = 0.0;
  if (dims.kind > 1u) { b = theta[s * dims.size + dims.biasAt + id % dims.D]; }
  let v = a[k] + select(-b, b, dims.kind == 3u);
  // what exp makes of more than 88 is not said
  let z = 1.0 / (1.0 + exp(select(-v, 87.0, v < -87.0)));
  a[k] = z;
  if (dims.kind == 1u) { out[k] = z * x[k] + y[k]; }
  else if (dims.kind == 2u) { out[k] = x[k] + z * y[k]; }
  else if (dims.kind == 3u) { out[k] = z * x[k] + (1.0 - z) * y[k]; }
  else {
    // tanh is held to ±1 for large arguments, where some devices return NaN
    let t = tanh(clamp(h[k], -20.0, 20.0));
    h[k] = t;
    out[k] = x[k] + z * t;
  }
}
