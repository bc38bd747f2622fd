// Gradients of the words' vectors and biases, and of the values' (as further words). One invocation per (word, column or
// bias) and slice of the rows; slices in y, replicas in z; slots and rows in order. A prefix with as many slots as there
// are words has one for each in their order, so nobody looks for it.
//
// rows : [S, stride]     N : [S, R·J, D]     dOut : [S, R, n]     grammar : as in tokenHead.wgsl
// partials : [S, slices, size], added to

struct Dims {
  stride : u32, R : u32, J : u32, slots : u32, n : u32, D : u32, vocabulary : u32, slices : u32, size : u32, wordsAt : u32,
  biasAt : u32, valueAt : u32, valueBiasAt : u32, scale : f32,
}

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       rows     : array<u32>;
@group(0) @binding(2) var<storage, read>       N        : array<f32>;
@group(0) @binding(3) var<storage, read>       dOut     : array<f32>;
@group(0) @binding(4) var<storage, read>       grammar  : array<u32>;
@group(0) @binding(5) var<storage, read_write> partials : array<f32>;

/// Σ over a stretch of rows of output c times column j of prefix `node`, or of output c alone (j = D).
fn along(s : u32, c : u32, node : u32, j : u32, from_ : u32, to : u32) -> f32 {
  var sum = 0.0;
  for (var r = from_; r < to; r++) {
    let row = s * dims.R + r;
    let d = dOut[row * dims.n + c];
    if (j == dims.D) { sum += d; } else { sum += d * N[(row * dims.J + node) * dims.D + j]; }
  }
  return sum;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = group.x * 64u + local;
  let s = group.z;
  let v = id / (dims.D + 1u);
  let j = id % (dims.D + 1u);
  if (v >= dims.vocabulary + dims.n - dims.slots) { return; }
  let live = rows[s * dims.stride];
  let stretch = (live + dims.slices - 1u) / dims.slices;
  let from_ = min(group.y * stretch, live);
  let to = min(from_ + stretch, live);
  let part = (s * dims.slices + group.y) * dims.size;
  if (v >= dims.vocabulary) {
    let h = v - dims.vocabulary;
    let to_ = select(dims.valueAt + h * dims.D + j, dims.valueBiasAt + h, j == dims.D);
    partials[part + to_] += along(s, dims.slots + h, 0u, j, from_, to);
    return;
  }
  var sum = 0.0;
  for (var node = 0u; node < dims.J; node++) {
    let first = grammar[5u * node + 3u];
    let count = grammar[5u * node + 4u];
    // without a mask every word but <pad> = 0 can follow, in order
    if (count + 1u == dims.vocabulary) {
      if (v > 0u) { sum += along(s, first + v - 1u, node, j, from_, to); }
      continue;
    }
    for (var c = first; c < first + count; c++) {
      if (grammar[5u * (dims.J + c) + 1u] == v) { sum += along(s, c, node, j, from_, to); }
    }
  }
  if (j == dims.D) { partials[part + dims.biasAt + v] += sum; }
  else { partials[part + dims.wordsAt + v * dims.D + j] += dims.scale * sum; }
}
