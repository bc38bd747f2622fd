// dW = Xᵀ·dY and db = Σ dY over a slice of the rows, 8 inputs × 8 columns per invocation in registers, two rows at a time, no
// barriers. in and out are multiples of 4; the last blocks may be 4 wide. Those who have the first inputs add up the bias
// as well. Slices in y, replicas in z. Variants: see denseGradientAny.wgsl.
//
// X : [S, maxRows, in/4]     dY : [S, maxRows, out/4]     partials : [S, slices, size/4]

struct Dims {
  rows : u32, inputs : u32, out : u32, maxRows : u32, slices : u32, size : u32, weightAt : u32, biasAt : u32, hasBias : u32,
  stride : u32,
}

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       X        : array<vec4f>;
@group(0) @binding(2) var<storage, read>       dY       : array<vec4f>;
@group(0) @binding(3) var<storage, read_write> partials : array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  rowCount = rowsOf(group.z);
  let id = group.x * 64u + local;
  let out4 = dims.out / 4u;
  let in4 = dims.inputs / 4u;
  let columns = (out4 + 1u) / 2u;
  let i = (id / columns) * 2u;
  if (i >= in4) { return; }
  let j = (id % columns) * 2u;
  let s = group.z;
  let stretch = (rowCount + dims.slices - 1u) / dims.slices;
  let from_ = group.y * stretch;
  let to = min(from_ + stretch, rowCount);
  // inputs and columns beyond the last repeat it; they are not written
  let below = select(0u, 1u, i + 1u < in4);
  let right = select(0u, 1u, j + 1u < out4);
  var s0 = vec4f(); var t0 = vec4f();
  var s1 = vec4f(); var t1 = vec4f();
  var s2 = vec4f(); var t2 = vec4f();
  var s3 = vec4f(); var t3 = vec4f();
  var s4 = vec4f(); var t4 = vec4f();
  var s5 = vec4f(); var t5 = vec4f();
  var s6 = vec4f(); var t6 = vec4f();
  var s7 = vec4f(); var t7 = vec4f();
  var x = (s * dims.maxRows + from_) * in4 + i;
  var d = (s * dims.maxRows + from_) * out4 + j;
  for (var r = from_; r < to; r += 2u) {
    let a0 = X[x];
    let b0 = X[x + below];
    let p0 = dY[d];
    let q0 = dY[d + right];
    // an odd last row is followed by itself with factors of 0
    let n = select(0u, 1u, r + 1u < to);
    let a1 = f32(n) * X[x + n * in4];
    let b1 = f32(n) * X[x + n * in4 + below];
    let p1 = dY[d + n * out4];
    let q1 = dY[d + n * out4 + right];
    x += 2u * in4;
    d += 2u * out4;
    s0 = fma(vec4f(a1.x), p1, fma(vec4f(a0.x), p0, s0));    t0 = fma(vec4f(a1.x), q1, fma(vec4f(a0.x), q0, t0));
    s1 = fma(vec4f(a1.y), p1, fma(vec4f(a0.y), p0, s1));    t1 = fma(vec4f(a1.y), q1, fma(vec4f(a0.y), q0, t1));
    s2 = fma(vec4f(a1.z), p1, fma(vec4f(a0.z), p0, s2));    t2 = fma(vec4f(a1.z), q1, fma(vec4f(a0.z), q0, t2));
    s3 = fma(vec4f(a1.w), p1, fma(vec4f(a0.w), p0, s3));    t3 = fma(vec4f(a1.w), q1, fma(vec4f(a0.w), q0, t3));
    s4 = fma(vec4f(b1.x), p1, fma(vec4f(b0.x), p0, s4));    t4 = fma(vec4f(b1.x), q1, fma(vec4f(b0.x), q0, t4));
    s5 = fma(vec4f(b1.y), p1, fma(vec4f(b0.y), p0, s5));    t5 = fma(vec4f(b1.y), q1, fma(vec4f(b0.y), q0, t5));
    s6 = fma(vec4f(b1.z), p1, fma(vec4f(b0.z), p0, s6));    t6 = fma(vec4f(b1.z), q1, fma(vec4f(b0.z), q0, t6));
    s7 = fma(vec4f(b1.w), p1, fma(vec4f(b0.w), p0, s7));    t7 = fma(vec4f(b1.w), q1, fma(vec4f(b0.w), q0, t7));
  }
  let part = (s * dims.slices + group.y) * dims.size;
  let at = (part + dims.weightAt) / 4u + 4u * i * out4 + j;
  let isTwo = right == 1u;
  put(at + 0u * out4, isTwo, s0, t0);
  put(at + 1u * out4, isTwo, s1, t1);
  put(at + 2u * out4, isTwo, s2, t2);
  put(at + 3u * out4, isTwo, s3, t3);
  if (below == 1u) {
    put(at + 4u * out4, isTwo, s4, t4);
    put(at + 5u * out4, isTwo, s5, t5);
    put(at + 6u * out4, isTwo, s6, t6);
    put(at + 7u * out4, isTwo, s7, t7);
  }
  if (i != 0u || dims.hasBias == 0u) { return; }
  var left = vec4f();
  var beside = vec4f();
  d = (s * dims.maxRows + from_) * out4 + j;
  for (var r = from_; r < to; r++) {
    left += dY[d];
    beside += dY[d + right];
    d += out4;
  }
  put((part + dims.biasAt) / 4u + j, isTwo, left, beside);
}

fn put(at : u32, isTwo : bool, left : vec4f, right : vec4f) {
  give(at, left);
  if (isTwo) { give(at + 1u, right); }
}

fn give(at : u32, sum : vec4f) {
  if (ADDS) { partials[at] += sum; } else { partials[at] = sum; }
}
