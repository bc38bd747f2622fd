// Y = act(X·W + b) for any shape. One invocation computes 8 rows and up to 8 columns in registers, no barriers. Columns are
// shared out evenly (columns.wgsl): 5 outputs are 5 columns, 50 are 7 times 8. Every sum starts at b and runs over the
// inputs in ascending order, one fma each, in all variants alike: which one runs does not change a bit. Replicas in z.
// `act`, `keep`: see activation/.
//
// Variants, chosen in src/gpu/products.ts; GFLOP/s of 4096×128→128 on two cores of SwiftShader:
//   denseForward        1.0   the naive form, without activation
//   denseForwardAny     4.5   any shape
//   denseForwardNarrow  5.4   few or odd outputs, inputs in a multiple of 4: heads
//   denseForwardWide    6.8   in and out multiples of 4: the form without barriers
//   denseForwardTiled   2.9   for graphics devices with fast workgroup memory, from 192 inputs on
// Even shares against blocks of 4 columns that reach over the edge, in one run: 4095×129→5 takes half the time,
// 1000×77→50 two thirds, 4096×64→7 three quarters, 4096×64→4 the same.
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
  let block = blockOf((group.x + group.y * 65535u) * 64u + local);
  if (block.row >= rowCount) { return; }
  let s = group.z;
  let x = (s * dims.maxRows + min(vec4u(block.row) + vec4u(0u, 1u, 2u, 3u), vec4u(rowCount - 1u))) * dims.inputs;
  let y = (s * dims.maxRows + min(vec4u(block.row) + vec4u(4u, 5u, 6u, 7u), vec4u(rowCount - 1u))) * dims.inputs;
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
  for (var i = 0u; i < dims.inputs; i++) {
    let p = fullAt(w);
    let q = partAt(w + FULL);
    w += dims.out;
    let a0 = X[x.x + i]; s0 = full(a0, p, s0); t0 = fma(Part(a0), q, t0);
    let a1 = X[x.y + i]; s1 = full(a1, p, s1); t1 = fma(Part(a1), q, t1);
    let a2 = X[x.z + i]; s2 = full(a2, p, s2); t2 = fma(Part(a2), q, t2);
    let a3 = X[x.w + i]; s3 = full(a3, p, s3); t3 = fma(Part(a3), q, t3);
    let a4 = X[y.x + i]; s4 = full(a4, p, s4); t4 = fma(Part(a4), q, t4);
    let a5 = X[y.y + i]; s5 = full(a5, p, s5); t5 = fma(Part(a5), q, t5);
    let a6 = X[y.z + i]; s6 = full(a6, p, s6); t6 = fma(Part(a6), q, t6);
    let a7 = X[y.w + i]; s7 = full(a7, p, s7); t7 = fma(Part(a7), q, t7);
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
