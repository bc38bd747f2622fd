// dX = (dY·Wᵀ) ⊙ slope for any shape; the transpose is never made. One invocation computes 4 rows × 4 inputs in registers.
// Every sum runs over the outputs in ascending order, one fma each, in all variants alike. `slopeAt`: see
// activation/. With ADDS the sums come to what is there.
//
// Variants, chosen in src/gpu/products.ts; GFLOP/s of 4096×128→128 on two cores of SwiftShader:
//   denseBackward       0.5   the naive form, without slope
//   denseBackwardAny    3.0   any shape: few or odd outputs
//   denseBackwardWide   7.0   in and out multiples of 4: the form without barriers
//   denseBackwardTiled  2.5   for graphics devices with fast workgroup memory, from 192 outputs on
//
// dY : [S, maxRows, out]     theta : [S, size], W row-major [in, out]     dX : [S, maxRows, in]

struct Dims { rows : u32, inputs : u32, out : u32, maxRows : u32, size : u32, weightAt : u32, stride : u32 }

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       dY    : array<f32>;
@group(0) @binding(2) var<storage, read>       theta : array<f32>;
@group(0) @binding(3) var<storage, read_write> dX    : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  rowCount = rowsOf(group.z);
  let id = (group.x + group.y * 65535u) * 64u + local;
  let columns = (dims.inputs + 3u) / 4u;
  if (id >= ((rowCount + 3u) / 4u) * columns) { return; }
  let s = group.z;
  let r0 = (id / columns) * 4u;
  let i0 = (id % columns) * 4u;
  // rows and columns beyond the last repeat it; they are not written
  let d = (s * dims.maxRows + min(vec4u(r0, r0 + 1u, r0 + 2u, r0 + 3u), vec4u(rowCount - 1u))) * dims.out;
  let i = min(vec4u(i0, i0 + 1u, i0 + 2u, i0 + 3u), vec4u(dims.inputs - 1u));
  let w = s * dims.size + dims.weightAt + i * dims.out;
  var s0 = vec4f();
  var s1 = vec4f();
  var s2 = vec4f();
  var s3 = vec4f();
  for (var j = 0u; j < dims.out; j++) {
    let column = vec4f(theta[w.x + j], theta[w.y + j], theta[w.z + j], theta[w.w + j]);
    s0 = fma(vec4f(dY[d.x + j]), column, s0);
    s1 = fma(vec4f(dY[d.y + j]), column, s1);
    s2 = fma(vec4f(dY[d.z + j]), column, s2);
    s3 = fma(vec4f(dY[d.w + j]), column, s3);
  }
  let x = (s * dims.maxRows + r0) * dims.inputs + i0;
  put(x, r0, i0, s0);
  put(x + dims.inputs, r0 + 1u, i0, s1);
  put(x + 2u * dims.inputs, r0 + 2u, i0, s2);
  put(x + 3u * dims.inputs, r0 + 3u, i0, s3);
}

fn put(at : u32, r : u32, i : u32, sum : vec4f) {
  if (r >= rowCount) { return; }
  store(at, sum.x);
  if (i + 1u < dims.inputs) { store(at + 1u, sum.y); }
  if (i + 2u < dims.inputs) { store(at + 2u, sum.z); }
  if (i + 3u < dims.inputs) { store(at + 3u, sum.w); }
}

fn store(at : u32, sum : f32) {
  if (ADDS) { dX[at] = (dX[at] + sum) * slopeAt(at); } else { dX[at] = sum * slopeAt(at); }
}
