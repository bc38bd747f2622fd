// Gradient of the bias per head and distance: Σ of dS at that distance over a slice of the rows, in order. One invocation per
// (head, distance); slices in y, replicas in z.
//
// dS : [S, B·T, heads, MEMORY + SEGMENT], written where a step reads one so far away     partials : [S, slices, size], added to

struct Dims { rows : u32, B : u32, T : u32, heads : u32, slices : u32, size : u32, relAt : u32 }

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       dS       : array<f32>;
@group(0) @binding(2) var<storage, read_write> partials : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = group.x * 64u + local;
  let distances = dims.heads * (MEMORY + SEGMENT);
  if (id >= distances) { return; }
  let s = group.z;
  let count = rowsOf(s);
  let stretch = (count + dims.slices - 1u) / dims.slices;
  let from_ = group.y * stretch;
  var sum = 0.0;
  for (var r = from_; r < min(from_ + stretch, count); r++) {
    let t = timeOf(s, r);
    if (t - firstOf(t) >= id % (MEMORY + SEGMENT)) { sum += dS[(s * dims.B * dims.T + r) * distances + id]; }
  }
  partials[(s * dims.slices + group.y) * dims.size + dims.relAt + id] += sum;
}
