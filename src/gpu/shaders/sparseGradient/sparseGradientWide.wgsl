// Gradient of the first layer over a slice of the rows, outputs in multiples of 4: a product whose left side is bits, taken
// apart on the fly. 8 features × 8 outputs per invocation in registers; rows without any of the features are passed over.
// One more block of features stands for the bias. Variants: see sparseGradientAny.wgsl.
//
// bits : words as in sparseForward     dY : [S, maxRows, out/4]     partials : [S, slices, size/4]

struct Dims {
  rows : u32, out : u32, words : u32, B : u32,
  inner : u32, outerStride : u32, innerStride : u32, features : u32,
  slices : u32, size : u32, weightAt : u32, biasAt : u32, hasBias : u32, maxRows : u32,
}

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       bits     : array<u32>;
@group(0) @binding(2) var<storage, read>       dY       : array<vec4f>;
@group(0) @binding(3) var<storage, read_write> partials : array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = group.x * 64u + local;
  let out4 = dims.out / 4u;
  let columns = (out4 + 1u) / 2u;
  let blocks = (dims.features + 7u) / 8u;
  let block = id / columns;
  if (block >= blocks + dims.hasBias) { return; }
  let isBias = block == blocks;
  let s = group.z;
  let f0 = block * 8u;
  let j = (id % columns) * 2u;
  let stretch = (dims.rows + dims.slices - 1u) / dims.slices;
  let from_ = group.y * stretch;
  let to = min(from_ + stretch, dims.rows);
  // columns beyond the last repeat it; they are not written
  let right = select(0u, 1u, j + 1u < out4);
  var s0 = vec4f(); var t0 = vec4f();
  var s1 = vec4f(); var t1 = vec4f();
  var s2 = vec4f(); var t2 = vec4f();
  var s3 = vec4f(); var t3 = vec4f();
  var s4 = vec4f(); var t4 = vec4f();
  var s5 = vec4f(); var t5 = vec4f();
  var s6 = vec4f(); var t6 = vec4f();
  var s7 = vec4f(); var t7 = vec4f();
  for (var r = from_; r < to; r++) {
    var eight = 1u;
    if (!isBias) {
      let start_ = (s * dims.B + r / dims.inner) * dims.outerStride + (r % dims.inner) * dims.innerStride;
      eight = (bits[start_ + f0 / 32u] >> (f0 % 32u)) & 255u;
    }
    if (eight == 0u) { continue; }
    let d = (s * dims.maxRows + r) * out4 + j;
    let p = dY[d];
    let q = dY[d + right];
    let x0 = f32((eight >> 0u) & 1u); s0 = fma(vec4f(x0), p, s0); t0 = fma(vec4f(x0), q, t0);
    let x1 = f32((eight >> 1u) & 1u); s1 = fma(vec4f(x1), p, s1); t1 = fma(vec4f(x1), q, t1);
    let x2 = f32((eight >> 2u) & 1u); s2 = fma(vec4f(x2), p, s2); t2 = fma(vec4f(x2), q, t2);
    let x3 = f32((eight >> 3u) & 1u); s3 = fma(vec4f(x3), p, s3); t3 = fma(vec4f(x3), q, t3);
    let x4 = f32((eight >> 4u) & 1u); s4 = fma(vec4f(x4), p, s4); t4 = fma(vec4f(x4), q, t4);
    let x5 = f32((eight >> 5u) & 1u); s5 = fma(vec4f(x5), p, s5); t5 = fma(vec4f(x5), q, t5);
    let x6 = f32((eight >> 6u) & 1u); s6 = fma(vec4f(x6), p, s6); t6 = fma(vec4f(x6), q, t6);
    let x7 = f32((eight >> 7u) & 1u); s7 = fma(vec4f(x7), p, s7); t7 = fma(vec4f(x7), q, t7);
  }
  let part = (s * dims.slices + group.y) * dims.size;
  let isTwo = right == 1u;
  if (isBias) {
    put((part + dims.biasAt) / 4u + j, isTwo, s0, t0);
    return;
  }
  let at = (part + dims.weightAt) / 4u + f0 * out4 + j;
  put(at, isTwo, s0, t0);
  if (f0 + 1u < dims.features) { put(at + 1u * out4, isTwo, s1, t1); }
  if (f0 + 2u < dims.features) { put(at + 2u * out4, isTwo, s2, t2); }
  if (f0 + 3u < dims.features) { put(at + 3u * out4, isTwo, s3, t3); }
  if (f0 + 4u < dims.features) { put(at + 4u * out4, isTwo, s4, t4); }
  if (f0 + 5u < dims.features) { put(at + 5u * out4, isTwo, s5, t5); }
  if (f0 + 6u < dims.features) { put(at + 6u * out4, isTwo, s6, t6); }
  if (f0 + 7u < dims.features) { put(at + 7u * out4, isTwo, s7, t7); }
}

fn put(at : u32, isTwo : bool, left : vec4f, right : vec4f) {
  partials[at] = left;
  if (isTwo) { partials[at + 1u] = right; }
}
