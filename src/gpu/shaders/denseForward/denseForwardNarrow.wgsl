// Y = act(X·W + b) for few or odd outputs: 8 rows × 4 columns per invocation, the inputs four at a time. in is a multiple
// of 4. Replicas in z. Variants: see denseForwardAny.wgsl.
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
  let id = (group.x + group.y * 65535u) * 64u + local;
  let columns = (dims.out + 3u) / 4u;
  let in4 = dims.inputs / 4u;
  if (id >= ((rowCount + 7u) / 8u) * columns) { return; }
  let s = group.z;
  let r0 = (id / columns) * 8u;
  let j0 = (id % columns) * 4u;
  // rows and columns beyond the last repeat it; they are not written
  let j = min(vec4u(j0, j0 + 1u, j0 + 2u, j0 + 3u), vec4u(dims.out - 1u));
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
  if (dims.hasBias == 1u) { b = load(s * dims.size + dims.biasAt + j); }
  var s0 = b;
  var s1 = b;
  var s2 = b;
  var s3 = b;
  var s4 = b;
  var s5 = b;
  var s6 = b;
  var s7 = b;
  var w = s * dims.size + dims.weightAt + j;
  for (var i = 0u; i < in4; i++) {
    let w0 = load(w);
    let w1 = load(w + vec4u(dims.out));
    let w2 = load(w + vec4u(2u * dims.out));
    let w3 = load(w + vec4u(3u * dims.out));
    w += vec4u(4u * dims.out);
    s0 = step(X[x0 + i], w0, w1, w2, w3, s0);
    s1 = step(X[x1 + i], w0, w1, w2, w3, s1);
    s2 = step(X[x2 + i], w0, w1, w2, w3, s2);
    s3 = step(X[x3 + i], w0, w1, w2, w3, s3);
    s4 = step(X[x4 + i], w0, w1, w2, w3, s4);
    s5 = step(X[x5 + i], w0, w1, w2, w3, s5);
    s6 = step(X[x6 + i], w0, w1, w2, w3, s6);
    s7 = step(X[x7 + i], w0, w1, w2, w3, s7);
  }
  let y = (first + r0) * dims.out + j0;
  put(y + 0u * dims.out, r0 + 0u, j0, s0);
  put(y + 1u * dims.out, r0 + 1u, j0, s1);
  put(y + 2u * dims.out, r0 + 2u, j0, s2);
  put(y + 3u * dims.out, r0 + 3u, j0, s3);
  put(y + 4u * dims.out, r0 + 4u, j0, s4);
  put(y + 5u * dims.out, r0 + 5u, j0, s5);
  put(y + 6u * dims.out, r0 + 6u, j0, s6);
  put(y + 7u * dims.out, r0 + 7u, j0, s7);
}

fn load(at : vec4u) -> vec4f { return vec4f(theta[at.x], theta[at.y], theta[at.z], theta[at.w]); }

// four inputs in ascending order
fn step(a : vec4f, w0 : vec4f, w1 : vec4f, w2 : vec4f, w3 : vec4f, sum : vec4f) -> vec4f {
  return fma(vec4f(a.w), w3, fma(vec4f(a.z), w2, fma(vec4f(a.y), w1, fma(vec4f(a.x), w0, sum))));
}

fn put(at : u32, r : u32, j : u32, z : vec4f) {
  if (r >= rowCount) { return; }
  store(at, z.x);
  if (j + 1u < dims.out) { store(at + 1u, z.y); }
  if (j + 2u < dims.out) { store(at + 2u, z.z); }
  if (j + 3u < dims.out) { store(at + 3u, z.w); }
}

fn store(at : u32, z : f32) {
  keep(at, z);
  Y[at] = act(z);
}
