// Y = act(X·W + b) for any shape. One invocation computes a block of 4 rows × 4 columns in registers: a loaded value is
// used four times and no barrier is needed. Every sum starts at b and runs over the inputs in ascending order, one fma
// each, in all variants alike: which one runs does not change a bit. Replicas in z. `act`, `keep`: see activation/.
//
// Variants, chosen in src/gpu/products.ts; GFLOP/s of 4096×128→128 on two cores of SwiftShader:
//   denseForward        1.0   the naive form, without activation
//   denseForwardAny     2.9   any shape
//   denseForwardNarrow  5.0   few or odd outputs, in a multiple of 4: heads
//   denseForwardWide    6.8   in and out multiples of 4: the form without barriers
//   denseForwardTiled   2.9   for graphics devices with fast workgroup memory, from about 256 inputs
// The wide form can read half floats (halves.wgsl): src/gpu/halves.ts.
//
// X : [S, maxRows, in]     theta : [S, size], W row-major [in, out]     Y : [S, maxRows, out]

struct Dims {
  rows : u32, inputs : u32, out : u32, maxRows : u32, size : u32, weightAt : u32, biasAt : u32, hasBias : u32, stride : u32,
}

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       X     : array<f32>;
@group(0) @binding(2) var<storage, read>       theta : array<f32>;
@group(0) @binding(3) var<storage, read_write> Y     : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  rowCount = rowsOf(group.z);
  let id = (group.x + group.y * 65535u) * 64u + local;
  let columns = (dims.out + 3u) / 4u;
  if (id >= ((rowCount + 3u) / 4u) * columns) { return; }
  let s = group.z;
  let r0 = (id / columns) * 4u;
  let j0 = (id % columns) * 4u;
  // rows and columns beyond the last repeat it; they are not written
  let x = (s * dims.maxRows + min(vec4u(r0, r0 + 1u, r0 + 2u, r0 + 3u), vec4u(rowCount - 1u))) * dims.inputs;
  let j = min(vec4u(j0, j0 + 1u, j0 + 2u, j0 + 3u), vec4u(dims.out - 1u));
  var b = vec4f();
  if (dims.hasBias == 1u) { b = load(s * dims.size + dims.biasAt + j); }
  var s0 = b;
  var s1 = b;
  var s2 = b;
  var s3 = b;
  var w = s * dims.size + dims.weightAt + j;
  for (var i = 0u; i < dims.inputs; i++) {
    let row = load(w);
    s0 = fma(vec4f(X[x.x + i]), row, s0);
    s1 = fma(vec4f(X[x.y + i]), row, s1);
    s2 = fma(vec4f(X[x.z + i]), row, s2);
    s3 = fma(vec4f(X[x.w + i]), row, s3);
    w += vec4u(dims.out);
  }
  let y = (s * dims.maxRows + r0) * dims.out + j0;
  put(y, r0, j0, s0);
  put(y + dims.out, r0 + 1u, j0, s1);
  put(y + 2u * dims.out, r0 + 2u, j0, s2);
  put(y + 3u * dims.out, r0 + 3u, j0, s3);
}

fn load(at : vec4u) -> vec4f { return vec4f(theta[at.x], theta[at.y], theta[at.z], theta[at.w]); }

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
