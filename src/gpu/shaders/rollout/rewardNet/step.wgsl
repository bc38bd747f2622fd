// One step of Adam (β₁ 0.9, β₂ 0.999) along what slices of rows have added up, as many steps being counted as `steps` says,
// this one included; where `first` is 1, `before` keeps what it starts from. A replica that `rests` takes none. One invocation per
// parameter.
//
// partials : [S, slices, size]     theta, m, v, before : [S, size]     steps : [S, 2]     rests : [S]
// scales : [most], √(1 − β₂ᵗ)/(1 − β₁ᵗ) for t from 1 on; after the last one it stays

struct Dims { size : u32, slices : u32, first : u32, most : u32, rate : f32 }

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       partials : array<f32>;
@group(0) @binding(2) var<storage, read>       steps    : array<u32>;
@group(0) @binding(3) var<storage, read>       scales   : array<f32>;
@group(0) @binding(4) var<storage, read_write> theta    : array<f32>;
@group(0) @binding(5) var<storage, read_write> m        : array<f32>;
@group(0) @binding(6) var<storage, read_write> v        : array<f32>;
@group(0) @binding(7) var<storage, read_write> before   : array<f32>;
@group(0) @binding(8) var<storage, read>       rests    : array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.size) { return; }
  let s = group.z;
  let k = s * dims.size + id;
  var g = 0.0;
  for (var i = 0u; i < dims.slices; i++) { g += partials[(s * dims.slices + i) * dims.size + id]; }
  let t = clamp(steps[2u * s], 1u, dims.most);
  let p = theta[k];
  if (dims.first == 1u) { before[k] = p; }
  if (rests[s] == 1u) { return; }
  let a = 0.9 * m[k] + 0.1 * g;
  let b = 0.999 * v[k] + 0.001 * g * g;
  m[k] = a;
  v[k] = b;
  if (a != 0.0) { theta[k] = p - dims.rate * scales[t - 1u] * a / (sqrt(b) + 1e-8); }
}
