// Gradient of the vectors of words and places: each adds up dX of the tokens that used it. One invocation per vector,
// eight columns and slice of the tokens, because looking for the tokens costs more than adding them; slices in y,
// replicas in z; tokens in order.
//
// rows : [S, stride]     tokens : [S, maxRows, 4]     dX : [S, maxRows, D]     partials : [S, slices, size], added to

struct Dims {
  stride : u32, maxRows : u32, D : u32, vocabulary : u32, places : u32, slices : u32, size : u32, wordAt : u32, placeAt : u32,
}

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       rows     : array<u32>;
@group(0) @binding(2) var<storage, read>       tokens   : array<vec4u>;
@group(0) @binding(3) var<storage, read>       dX       : array<f32>;
@group(0) @binding(4) var<storage, read_write> partials : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = group.x * 64u + local;
  let eighths = (dims.D + 7u) / 8u;
  let v = id / eighths;
  if (v >= dims.vocabulary + dims.places) { return; }
  let j = (id % eighths) * 8u;
  let columns = min(8u, dims.D - j);
  let s = group.z;
  let live = rows[s * dims.stride + 1u];
  let stretch = (live + dims.slices - 1u) / dims.slices;
  let from_ = group.y * stretch;
  let isPlace = v >= dims.vocabulary;
  let which = select(v, v - dims.vocabulary, isPlace);
  var sum = array<f32, 8>();
  for (var i = from_; i < min(from_ + stretch, live); i++) {
    let t = tokens[s * dims.maxRows + i];
    if (select(tokenOf(t), placeOf(t), isPlace) != which) { continue; }
    let at = (s * dims.maxRows + i) * dims.D + j;
    for (var c = 0u; c < columns; c++) { sum[c] += dX[at + c]; }
  }
  let part = (s * dims.slices + group.y) * dims.size;
  let to = part + select(dims.wordAt, dims.placeAt, isPlace) + which * dims.D + j;
  for (var c = 0u; c < columns; c++) { partials[to + c] += sum[c]; }
}
