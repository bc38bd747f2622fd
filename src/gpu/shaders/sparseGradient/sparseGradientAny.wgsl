// Gradient of the first layer over a slice of the rows, for any width: dW[f,j] = sum over rows with bit f of dY[r,j],
// db[j] = sum of dY[r,j]. One invocation has 4 features × 4 outputs in registers and one more block of features stands for
// the bias. Slices in y, replicas in z; rows of a slice in ascending order in all variants, so no atomics.
//
// Variants; ms for 4096 rows of 400 bits, 100 of them set, and 128 outputs on two cores of SwiftShader:
//   sparseGradient 1603, one slice     sparseGradientAny 191     sparseGradientWide 117, for outputs in multiples of 4
//
// bits : words as in sparseForward     dY : [S, maxRows, out]     partials : [S, slices, size]

struct Dims {
  rows : u32, out : u32, words : u32, B : u32,
  inner : u32, outerStride : u32, innerStride : u32, features : u32,
  slices : u32, size : u32, weightAt : u32, biasAt : u32, hasBias : u32, maxRows : u32,
}

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       bits     : array<u32>;
@group(0) @binding(2) var<storage, read>       dY       : array<f32>;
@group(0) @binding(3) var<storage, read_write> partials : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = group.x * 64u + local;
  let columns = (dims.out + 3u) / 4u;
  let blocks = (dims.features + 3u) / 4u;
  let block = id / columns;
  if (block >= blocks + dims.hasBias) { return; }
  let isBias = block == blocks;
  let s = group.z;
  let f0 = block * 4u;
  let j0 = (id % columns) * 4u;
  let stretch = (dims.rows + dims.slices - 1u) / dims.slices;
  let from_ = group.y * stretch;
  let to = min(from_ + stretch, dims.rows);
  // columns beyond the last repeat it; they are not written
  let j = min(vec4u(j0, j0 + 1u, j0 + 2u, j0 + 3u), vec4u(dims.out - 1u));
  var s0 = vec4f();
  var s1 = vec4f();
  var s2 = vec4f();
  var s3 = vec4f();
  for (var r = from_; r < to; r++) {
    var four = 1u;
    if (!isBias) {
      let start_ = (s * dims.B + r / dims.inner) * dims.outerStride + (r % dims.inner) * dims.innerStride;
      four = (bits[start_ + f0 / 32u] >> (f0 % 32u)) & 15u;
    }
    if (four == 0u) { continue; }
    let d = (s * dims.maxRows + r) * dims.out + j;
    let b = vec4f(dY[d.x], dY[d.y], dY[d.z], dY[d.w]);
    s0 += select(vec4f(), b, (four & 1u) != 0u);
    s1 += select(vec4f(), b, (four & 2u) != 0u);
    s2 += select(vec4f(), b, (four & 4u) != 0u);
    s3 += select(vec4f(), b, (four & 8u) != 0u);
  }
  let part = (s * dims.slices + group.y) * dims.size + j0;
  if (isBias) {
    put(part + dims.biasAt, j0, s0);
    return;
  }
  let at = part + dims.weightAt + f0 * dims.out;
  put(at, j0, s0);
  if (f0 + 1u < dims.features) { put(at + dims.out, j0, s1); }
  if (f0 + 2u < dims.features) { put(at + 2u * dims.out, j0, s2); }
  if (f0 + 3u < dims.features) { put(at + 3u * dims.out, j0, s3); }
}

fn put(at : u32, j : u32, sum : vec4f) {
  partials[at] = sum.x;
  if (j + 1u < dims.out) { partials[at + 1u] = sum.y; }
  if (j + 2u < dims.out) { partials[at + 2u] = sum.z; }
  if (j + 3u < dims.out) { partials[at + 3u] = sum.w; }
}
