// Gradient of a bias that enters with a sign: sign · Σ over a slice of the live rows of some columns of dY. One
// invocation per column; slices in y, replicas in z; rows in order.
//
// rows : [S, stride]     dY : [S, maxRows, width], columns first … first + D − 1     partials : [S, slices, size], added to

struct Dims {
  which : u32, stride : u32, maxRows : u32, width : u32, first : u32, D : u32, slices : u32, size : u32, biasAt : u32, sign : f32,
}

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       rows     : array<u32>;
@group(0) @binding(2) var<storage, read>       dY       : array<f32>;
@group(0) @binding(3) var<storage, read_write> partials : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let j = group.x * 64u + local;
  if (j >= dims.D) { return; }
  let s = group.z;
  let live = rows[s * dims.stride + dims.which];
  let stretch = (live + dims.slices - 1u) / dims.slices;
  let from_ = group.y * stretch;
  var sum = 0.0;
  for (var r = from_; r < min(from_ + stretch, live); r++) {
    sum += dY[(s * dims.maxRows + r) * dims.width + dims.first + j];
  }
  partials[(s * dims.slices + group.y) * dims.size + dims.biasAt + j] += dims.sign * sum;
}
