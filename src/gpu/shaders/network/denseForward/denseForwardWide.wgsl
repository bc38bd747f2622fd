// Y = act(X·W + b), 8 rows × 8 columns per invocation in registers, no barriers: 64 sums from 16 loaded numbers a step.
// in and out are multiples of 4; the last block may be 4 columns wide. Replicas in z. Variants: see denseForwardAny.wgsl.
// Four numbers as they are stored, `Four`, are floats (floats.wgsl) or halves (halves.wgsl, packedHalves.wgsl).
//
// X : [S, maxRows, in/4]     theta : [S, size/4], W row-major [in, out/4]     Y : [S, maxRows, out/4]

struct Dims {
  rows : u32, inputs : u32, out : u32, maxRows : u32, size : u32, weightAt : u32, biasAt : u32, hasBias : u32, stride : u32,
}

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       X     : array<Four>;
@group(0) @binding(2) var<storage, read>       theta : array<Four>;
@group(0) @binding(3) var<storage, read_write> Y     : array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  rowCount = rowsOf(group.z);
  let id = (group.x + group.y * 65535u) * 64u + local;
  let out4 = dims.out / 4u;
  let in4 = dims.inputs / 4u;
  let columns = (out4 + 1u) / 2u;
  if (id >= ((rowCount + 7u) / 8u) * columns) { return; }
  let s = group.z;
  let r0 = (id / columns) * 8u;
  let j = (id % columns) * 2u;
  // rows and columns beyond the last repeat it; they are not written
  let right = select(0u, 1u, j + 1u < out4);
  let first = s * dims.maxRows;
  let last = rowCount - 1u;
  let x0 = (first + min(r0 + 0u, last)) * in4;
  let x1 = (first + min(r0 + 1u, last)) * in4;
  let x2 = (first + min(r0 + 2u, last)) * in4;
  let x3 = (first + min(r0 + 3u, last)) * in4;
  let x4 = (first + min(r0 + 4u, last)) * in4;
  let x5 = (first + min(r0 + 5u, last)) * in4;
  let x6 = (first + min(r0 + 6u, last)) * in4;
  let x7 = (first + min(r0 + 7u, last)) * in4;
  var b = vec4f();
  var c = vec4f();
  if (dims.hasBias == 1u) {
    let at = (s * dims.size + dims.biasAt) / 4u + j;
    b = widened(theta[at]);
    c = widened(theta[at + right]);
  }
  var s0 = b; var t0 = c;
  var s1 = b; var t1 = c;
  var s2 = b; var t2 = c;
  var s3 = b; var t3 = c;
  var s4 = b; var t4 = c;
  var s5 = b; var t5 = c;
  var s6 = b; var t6 = c;
  var s7 = b; var t7 = c;
  var w = (s * dims.size + dims.weightAt) / 4u + j;
  for (var i = 0u; i < in4; i++) {
    let p0 = widened(theta[w]); let q0 = widened(theta[w + right]);
    w += out4;
    let p1 = widened(theta[w]); let q1 = widened(theta[w + right]);
    w += out4;
    let p2 = widened(theta[w]); let q2 = widened(theta[w + right]);
    w += out4;
    let p3 = widened(theta[w]); let q3 = widened(theta[w + right]);
    w += out4;
    let a0 = widened(X[x0 + i]);
    s0 = step(a0, p0, p1, p2, p3, s0); t0 = step(a0, q0, q1, q2, q3, t0);
    let a1 = widened(X[x1 + i]);
    s1 = step(a1, p0, p1, p2, p3, s1); t1 = step(a1, q0, q1, q2, q3, t1);
    let a2 = widened(X[x2 + i]);
    s2 = step(a2, p0, p1, p2, p3, s2); t2 = step(a2, q0, q1, q2, q3, t2);
    let a3 = widened(X[x3 + i]);
    s3 = step(a3, p0, p1, p2, p3, s3); t3 = step(a3, q0, q1, q2, q3, t3);
    let a4 = widened(X[x4 + i]);
    s4 = step(a4, p0, p1, p2, p3, s4); t4 = step(a4, q0, q1, q2, q3, t4);
    let a5 = widened(X[x5 + i]);
    s5 = step(a5, p0, p1, p2, p3, s5); t5 = step(a5, q0, q1, q2, q3, t5);
    let a6 = widened(X[x6 + i]);
    s6 = step(a6, p0, p1, p2, p3, s6); t6 = step(a6, q0, q1, q2, q3, t6);
    let a7 = widened(X[x7 + i]);
    s7 = step(a7, p0, p1, p2, p3, s7); t7 = step(a7, q0, q1, q2, q3, t7);
  }
  let y = (first + r0) * out4 + j;
  let isTwo = right == 1u;
  put(y + 0u * out4, r0 + 0u, isTwo, s0, t0);
  put(y + 1u * out4, r0 + 1u, isTwo, s1, t1);
  put(y + 2u * out4, r0 + 2u, isTwo, s2, t2);
  put(y + 3u * out4, r0 + 3u, isTwo, s3, t3);
  put(y + 4u * out4, r0 + 4u, isTwo, s4, t4);
  put(y + 5u * out4, r0 + 5u, isTwo, s5, t5);
  put(y + 6u * out4, r0 + 6u, isTwo, s6, t6);
  put(y + 7u * out4, r0 + 7u, isTwo, s7, t7);
}

// four inputs in ascending order
fn step(a : vec4f, w0 : vec4f, w1 : vec4f, w2 : vec4f, w3 : vec4f, sum : vec4f) -> vec4f {
  return fma(vec4f(a.w), w3, fma(vec4f(a.z), w2, fma(vec4f(a.y), w1, fma(vec4f(a.x), w0, sum))));
}

fn put(at : u32, r : u32, isTwo : bool, left : vec4f, right : vec4f) {
  if (r >= rowCount) { return; }
  store(at, left);
  if (isTwo) { store(at + 1u, right); }
}

fn store(at : u32, z : vec4f) {
  keep(4u * at, z.x); keep(4u * at + 1u, z.y); keep(4u * at + 2u, z.z); keep(4u * at + 3u, z.w);
  let h = vec4f(act(z.x), act(z.y), act(z.z), act(z.w));
  Y[at] = h;
  alsoStore(at, h);
}
