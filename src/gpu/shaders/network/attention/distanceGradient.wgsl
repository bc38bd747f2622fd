// Gradient of the bias per head and distance: Σ of dS at that distance over a slice of the queries. One invocation per
// (head, distance); slices in y, replicas in z; queries in order. A query has no key beyond its own order.
//
// rows : [S, 4 + 2R]     tokens : [S, maxTokens, 4]     dS : [S, maxQueries, heads, distances]
// partials : [S, slices, size], added to

struct Dims {
  stride : u32, maxTokens : u32, maxQueries : u32, J : u32, isAll : u32, heads : u32, distances : u32, slices : u32, size : u32,
  relAt : u32,
}

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       rows     : array<u32>;
@group(0) @binding(2) var<storage, read>       tokens   : array<vec4u>;
@group(0) @binding(3) var<storage, read>       dS       : array<f32>;
@group(0) @binding(4) var<storage, read_write> partials : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = group.x * 64u + local;
  if (id >= dims.heads * dims.distances) { return; }
  let distance = id % dims.distances;
  let s = group.z;
  let live = rows[s * dims.stride + select(2u, 1u, dims.isAll == 1u)];
  let stretch = (live + dims.slices - 1u) / dims.slices;
  let from_ = group.y * stretch;
  var sum = 0.0;
  for (var m = from_; m < min(from_ + stretch, live); m++) {
    var q = m;
    if (dims.isAll == 0u) { q = rows[s * dims.stride + 4u + m / dims.J] - dims.J + m % dims.J; }
    if (orderOf(tokens[s * dims.maxTokens + q]) >= distance) {
      sum += dS[(s * dims.maxQueries + m) * dims.heads * dims.distances + id];
    }
  }
  partials[(s * dims.slices + group.y) * dims.size + dims.relAt + id] += sum;
}
