// dX = (dY·Wᵀ) ⊙ slope, 8 rows × 8 inputs per invocation in registers, no barriers: blocks of W are turned over in
// registers. in and out are multiples of 4; the last block may be 4 inputs wide. Replicas in z. Variants: see
// denseBackwardAny.wgsl.
//
// dY : [S, maxRows, out/4]     theta : [S, size/4], W row-major [in, out/4]     dX : [S, maxRows, in/4]

struct Dims { rows : u32, inputs : u32, out : u32, maxRows : u32, size : u32, weightAt : u32, stride : u32 }

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       dY    : array<vec4f>;
@group(0) @binding(2) var<storage, read>       theta : array<vec4f>;
@group(0) @binding(3) var<storage, read_write> dX    : array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  rowCount = rowsOf(group.z);
  let id = (group.x + group.y * 65535u) * 64u + local;
  let out4 = dims.out / 4u;
  let in4 = dims.inputs / 4u;
  let columns = (in4 + 1u) / 2u;
  if (id >= ((rowCount + 7u) / 8u) * columns) { return; }
  let s = group.z;
  let r0 = (id / columns) * 8u;
  let i = (id % columns) * 2u;
  // rows and inputs beyond the last repeat it; they are not written
  let right = select(0u, 4u * out4, i + 1u < in4);
  let first = s * dims.maxRows;
  let last = rowCount - 1u;
  let d0 = (first + min(r0 + 0u, last)) * out4;
  let d1 = (first + min(r0 + 1u, last)) * out4;
  let d2 = (first + min(r0 + 2u, last)) * out4;
  let d3 = (first + min(r0 + 3u, last)) * out4;
  let d4 = (first + min(r0 + 4u, last)) * out4;
  let d5 = (first + min(r0 + 5u, last)) * out4;
  let d6 = (first + min(r0 + 6u, last)) * out4;
  let d7 = (first + min(r0 + 7u, last)) * out4;
  var s0 = vec4f(); var t0 = vec4f();
  var s1 = vec4f(); var t1 = vec4f();
  var s2 = vec4f(); var t2 = vec4f();
  var s3 = vec4f(); var t3 = vec4f();
  var s4 = vec4f(); var t4 = vec4f();
  var s5 = vec4f(); var t5 = vec4f();
  var s6 = vec4f(); var t6 = vec4f();
  var s7 = vec4f(); var t7 = vec4f();
  let w = (s * dims.size + dims.weightAt) / 4u + 4u * i * out4;
  for (var j = 0u; j < out4; j++) {
    let at = w + j;
    let p = transpose(mat4x4f(theta[at], theta[at + out4], theta[at + 2u * out4], theta[at + 3u * out4]));
    let next = at + right;
    let q = transpose(mat4x4f(theta[next], theta[next + out4], theta[next + 2u * out4], theta[next + 3u * out4]));
    let a0 = dY[d0 + j];
    s0 = step(a0, p, s0); t0 = step(a0, q, t0);
    let a1 = dY[d1 + j];
    s1 = step(a1, p, s1); t1 = step(a1, q, t1);
    let a2 = dY[d2 + j];
    s2 = step(a2, p, s2); t2 = step(a2, q, t2);
    let a3 = dY[d3 + j];
    s3 = step(a3, p, s3); t3 = step(a3, q, t3);
    let a4 = dY[d4 + j];
    s4 = step(a4, p, s4); t4 = step(a4, q, t4);
    let a5 = dY[d5 + j];
    s5 = step(a5, p, s5); t5 = step(a5, q, t5);
    let a6 = dY[d6 + j];
    s6 = step(a6, p, s6); t6 = step(a6, q, t6);
    let a7 = dY[d7 + j];
    s7 = step(a7, p, s7); t7 = step(a7, q, t7);
  }
  let x = (first + r0) * in4 + i;
  let isTwo = right != 0u;
  put(x + 0u * in4, r0 + 0u, isTwo, s0, t0);
  put(x + 1u * in4, r0 + 1u, isTwo, s1, t1);
  put(x + 2u * in4, r0 + 2u, isTwo, s2, t2);
  put(x + 3u * in4, r0 + 3u, isTwo, s3, t3);
  put(x + 4u * in4, r0 + 4u, isTwo, s4, t4);
  put(x + 5u * in4, r0 + 5u, isTwo, s5, t5);
  put(x + 6u * in4, r0 + 6u, isTwo, s6, t6);
  put(x + 7u * in4, r0 + 7u, isTwo, s7, t7);
}

// four outputs in ascending order
fn step(a : vec4f, w : mat4x4f, sum : vec4f) -> vec4f {
  return fma(vec4f(a.w), w[3], fma(vec4f(a.z), w[2], fma(vec4f(a.y), w[1], fma(vec4f(a.x), w[0], sum))));
}

fn put(at : u32, r : u32, isTwo : bool, left : vec4f, right : vec4f) {
  if (r >= rowCount) { return; }
  store(at, left);
  if (isTwo) { store(at + 1u, right); }
}

fn store(at : u32, sum : vec4f) {
  let k = 4u * at;
  let slopes = vec4f(slopeAt(k), slopeAt(k + 1u), slopeAt(k + 2u), slopeAt(k + 3u));
  if (ADDS) { dX[at] = (dX[at] + sum) * slopes; } else { dX[at] = sum * slopes; }
}
