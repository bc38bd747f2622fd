// Y = act(X·W + b) for few or odd outputs: like denseForwardAny, with the inputs four at a time. in is a multiple of 4.
// Replicas in z. Variants: see denseForwardAny.wgsl.
//
// X : [S, maxRows, in/4]     theta : [S, size], W row-major [in, out]     Y : [S, maxRows, out]

struct Dims {
  rows : u32, inputs : u32, out : u32, maxRows : u32, size : u32, weightAt : u32, biasAt : u32, hasBias : u32, stride : u32,
}

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       X     : array<vec4f>;
@group(0) @binding(2) var<storage, read>       theta : array<f32>;
@group(0) @binding(3) var<storage, read_write> Y     : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  rowCount = rowsOf(group.z);
  let block = blockOf((group.x + group.y * 65535u) * 64u + local);
  if (block.row >= rowCount) { return; }
  let s = group.z;
  let in4 = dims.inputs / 4u;
  // rows beyond the last repeat it; they are not written
  let x = (s * dims.maxRows + min(vec4u(block.row) + vec4u(0u, 1u, 2u, 3u), vec4u(rowCount - 1u))) * in4;
  let y = (s * dims.maxRows + min(vec4u(block.row) + vec4u(4u, 5u, 6u, 7u), vec4u(rowCount - 1u))) * in4;
  var b = vec4f();
  var c = Part();
  if (dims.hasBias == 1u) {
    let at = s * dims.size + dims.biasAt + block.column;
    b = fullAt(at);
    c = partAt(at + FULL);
  }
  var s0 = b; var t0 = c;
  var s1 = b; var t1 = c;
  var s2 = b; var t2 = c;
  var s3 = b; var t3 = c;
  var s4 = b; var t4 = c;
  var s5 = b; var t5 = c;
  var s6 = b; var t6 = c;
  var s7 = b; var t7 = c;
  var w = s * dims.size + dims.weightAt + block.column;
  for (var i = 0u; i < in4; i++) {
    let p0 = fullAt(w); let q0 = partAt(w + FULL);
    w += dims.out;
    let p1 = fullAt(w); let q1 = partAt(w + FULL);
    w += dims.out;
    let p2 = fullAt(w); let q2 = partAt(w + FULL);
    w += dims.out;
    let p3 = fullAt(w); let q3 = partAt(w + FULL);
    w += dims.out;
    let a0 = X[x.x + i]; s0 = fulls(a0, p0, p1, p2, p3, s0); t0 = parts(a0, q0, q1, q2, q3, t0);
    let a1 = X[x.y + i]; s1 = fulls(a1, p0, p1, p2, p3, s1); t1 = parts(a1, q0, q1, q2, q3, t1);
    let a2 = X[x.z + i]; s2 = fulls(a2, p0, p1, p2, p3, s2); t2 = parts(a2, q0, q1, q2, q3, t2);
    let a3 = X[x.w + i]; s3 = fulls(a3, p0, p1, p2, p3, s3); t3 = parts(a3, q0, q1, q2, q3, t3);
    let a4 = X[y.x + i]; s4 = fulls(a4, p0, p1, p2, p3, s4); t4 = parts(a4, q0, q1, q2, q3, t4);
    let a5 = X[y.y + i]; s5 = fulls(a5, p0, p1, p2, p3, s5); t5 = parts(a5, q0, q1, q2, q3, t5);
    let a6 = X[y.z + i]; s6 = fulls(a6, p0, p1, p2, p3, s6); t6 = parts(a6, q0, q1, q2, q3, t6);
    let a7 = X[y.w + i]; s7 = fulls(a7, p0, p1, p2, p3, s7); t7 = parts(a7, q0, q1, q2, q3, t7);
  }
  put(s, block, 0u, s0, t0);
  put(s, block, 1u, s1, t1);
  put(s, block, 2u, s2, t2);
  put(s, block, 3u, s3, t3);
  put(s, block, 4u, s4, t4);
  put(s, block, 5u, s5, t5);
  put(s, block, 6u, s6, t6);
  put(s, block, 7u, s7, t7);
}

// four inputs in ascending order
fn fulls(a : vec4f, w0 : vec4f, w1 : vec4f, w2 : vec4f, w3 : vec4f, sum : vec4f) -> vec4f {
  return full(a.w, w3, full(a.z, w2, full(a.y, w1, full(a.x, w0, sum))));
}
fn parts(a : vec4f, w0 : Part, w1 : Part, w2 : Part, w3 : Part, sum : Part) -> Part {
  return fma(Part(a.w), w3, fma(Part(a.z), w2, fma(Part(a.y), w1, fma(Part(a.x), w0, sum))));
}
