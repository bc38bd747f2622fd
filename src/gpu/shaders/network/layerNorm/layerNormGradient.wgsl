// Gradients of gain (Σ dY ⊙ u) and bias (Σ dY). One invocation per column and slice of the live rows; slices in y,
// replicas in z; rows in order.
//
// rows : [S, stride]     X, dY : [S, maxRows, D]     moments : [S, maxRows, 2]     partials : [S, slices, size], added to

struct Dims { which : u32, stride : u32, maxRows : u32, D : u32, slices : u32, size : u32, gainAt : u32, biasAt : u32 }

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       rows     : array<u32>;
@group(0) @binding(2) var<storage, read>       X        : array<f32>;
@group(0) @binding(3) var<storage, read>       moments  : array<vec2f>;
@group(0) @binding(4) var<storage, read>       dY       : array<f32>;
@group(0) @binding(5) var<storage, read_write> partials : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let j = group.x * 64u + local;
  if (j >= dims.D) { return; }
  let s = group.z;
  let live = rows[s * dims.stride + dims.which];
  let stretch = (live + dims.slices - 1u) / dims.slices;
  let from_ = group.y * stretch;
  var gain = 0.0;
  var bias = 0.0;
  for (var r = from_; r < min(from_ + stretch, live); r++) {
    let row = s * dims.maxRows + r;
    let m = moments[row];
    let d = dY[row * dims.D + j];
    gain += d * ((X[row * dims.D + j] - m.x) * m.y);
    bias += d;
  }
  let to = (s * dims.slices + group.y) * dims.size + j;
  partials[to + dims.gainAt] += gain;
  partials[to + dims.biasAt] += bias;
}
