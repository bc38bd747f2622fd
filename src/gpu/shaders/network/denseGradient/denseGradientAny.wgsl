// dW = Xᵀ·dY and db = Σ dY over a slice of the rows, for any shape; the transpose is never made. One invocation computes
// 4 inputs × 4 columns in registers, one more input stands for the bias. Slices in y, replicas in z; rows of a slice in
// ascending order, one fma each, in all variants alike. sliceSum adds the slices up in their order: no atomics.
// With ADDS the sums come to what is there.
//
// Variants, chosen in src/gpu/products.ts; GFLOP/s of 4096×128→128 on two cores of SwiftShader:
//   denseGradient       1.1   the naive form, one slice
//   denseGradientAny    2.7   any shape
//   denseGradientWide   6.6   in and out multiples of 4: the form without barriers
//   denseGradientTiled  2.0   for graphics devices with fast workgroup memory
//
// X : [S, maxRows, in]     dY : [S, maxRows, out]     partials : [S, slices, size]

struct Dims {
  rows : u32, inputs : u32, out : u32, maxRows : u32, slices : u32, size : u32, weightAt : u32, biasAt : u32, hasBias : u32,
  stride : u32,
}

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       X        : array<f32>;
@group(0) @binding(2) var<storage, read>       dY       : array<f32>;
@group(0) @binding(3) var<storage, read_write> partials : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  rowCount = rowsOf(group.z);
  let id = group.x * 64u + local;
  let columns = (dims.out + 3u) / 4u;
  let i0 = (id / columns) * 4u;
  if (i0 >= dims.inputs + dims.hasBias) { return; }
  let j0 = (id % columns) * 4u;
  let s = group.z;
  let stretch = (rowCount + dims.slices - 1u) / dims.slices;
  let from_ = group.y * stretch;
  let to = min(from_ + stretch, rowCount);
  let i = vec4u(i0, i0 + 1u, i0 + 2u, i0 + 3u);
  let isInput = i < vec4u(dims.inputs);
  // inputs and columns beyond the last repeat it; they are not written
  let x = min(i, vec4u(dims.inputs - 1u));
  let j = min(vec4u(j0, j0 + 1u, j0 + 2u, j0 + 3u), vec4u(dims.out - 1u));
  var s0 = vec4f();
  var s1 = vec4f();
  var s2 = vec4f();
  var s3 = vec4f();
  var at = (s * dims.maxRows + from_) * dims.inputs + x;
  var d = (s * dims.maxRows + from_) * dims.out + j;
  // two rows are asked for at once; an odd last one is followed by itself with factors of 0
  for (var r = from_; r < to; r += 2u) {
    let n = select(0u, 1u, r + 1u < to);
    let at1 = at + n * dims.inputs;
    let d1 = d + n * dims.out;
    let a = select(vec4f(1.0), vec4f(X[at.x], X[at.y], X[at.z], X[at.w]), isInput);
    let b = vec4f(dY[d.x], dY[d.y], dY[d.z], dY[d.w]);
    let a1 = f32(n) * select(vec4f(1.0), vec4f(X[at1.x], X[at1.y], X[at1.z], X[at1.w]), isInput);
    let b1 = vec4f(dY[d1.x], dY[d1.y], dY[d1.z], dY[d1.w]);
    s0 = fma(vec4f(a1.x), b1, fma(vec4f(a.x), b, s0));
    s1 = fma(vec4f(a1.y), b1, fma(vec4f(a.y), b, s1));
    s2 = fma(vec4f(a1.z), b1, fma(vec4f(a.z), b, s2));
    s3 = fma(vec4f(a1.w), b1, fma(vec4f(a.w), b, s3));
    at += vec4u(2u * dims.inputs);
    d += vec4u(2u * dims.out);
  }
  let part = (s * dims.slices + group.y) * dims.size;
  put(part, i.x, j0, s0);
  put(part, i.y, j0, s1);
  put(part, i.z, j0, s2);
  put(part, i.w, j0, s3);
}

fn put(part : u32, i : u32, j : u32, sum : vec4f) {
  if (i >= dims.inputs + dims.hasBias) { return; }
  let at = part + j + select(dims.biasAt, dims.weightAt + i * dims.out, i < dims.inputs);
  give(at, sum.x);
  if (j + 1u < dims.out) { give(at + 1u, sum.y); }
  if (j + 2u < dims.out) { give(at + 2u, sum.z); }
  if (j + 3u < dims.out) { give(at + 3u, sum.w); }
}

fn give(at : u32, sum : f32) {
  if (ADDS) { partials[at] += sum; } else { partials[at] = sum; }
}
