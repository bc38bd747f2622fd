// First layer over 0/1 observations with its activation, outputs in multiples of 4: one invocation per 8 rows and 8 outputs. A
// weight is read once for all rows that have the feature; neighboring rows mostly see the same world, so that the union of
// their bits is hardly larger than one row's. Variants: see sparseForwardAny.wgsl.
//
// bits : u32 words     theta : [S, size/4]     Y : [S, maxRows, out/4]

struct Dims {
  rows : u32, out : u32, words : u32, B : u32,
  inner : u32, outerStride : u32, innerStride : u32, base : u32,
  size : u32, weightAt : u32, biasAt : u32, hasBias : u32, maxRows : u32, stride : u32,
}

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       bits  : array<u32>;
@group(0) @binding(2) var<storage, read>       theta : array<vec4f>;
@group(0) @binding(3) var<storage, read_write> Y     : array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let out4 = dims.out / 4u;
  let columns = (out4 + 1u) / 2u;
  let r = id / columns * 8u;
  let s = group.z;
  rowCount = rowsOf(s);
  if (r >= rowCount) { return; }
  let j = (id % columns) * 2u;
  // columns beyond the last repeat it; they are not written
  let right = select(0u, 1u, j + 1u < out4);
  let W = (s * dims.size + dims.weightAt) / 4u + j;
  var p = vec4f();
  var q = vec4f();
  if (dims.hasBias == 1u) {
    let b = (s * dims.size + dims.biasAt) / 4u + j;
    p = theta[b];
    q = theta[b + right];
  }
  let a0 = start(s, r + 0u); var y0 = p; var z0 = q;
  let a1 = start(s, r + 1u); var y1 = p; var z1 = q;
  let a2 = start(s, r + 2u); var y2 = p; var z2 = q;
  let a3 = start(s, r + 3u); var y3 = p; var z3 = q;
  let a4 = start(s, r + 4u); var y4 = p; var z4 = q;
  let a5 = start(s, r + 5u); var y5 = p; var z5 = q;
  let a6 = start(s, r + 6u); var y6 = p; var z6 = q;
  let a7 = start(s, r + 7u); var y7 = p; var z7 = q;
  for (var w = 0u; w < dims.words; w++) {
    let b0 = bits[a0 + w];
    let b1 = bits[a1 + w];
    let b2 = bits[a2 + w];
    let b3 = bits[a3 + w];
    let b4 = bits[a4 + w];
    let b5 = bits[a5 + w];
    let b6 = bits[a6 + w];
    let b7 = bits[a7 + w];
    var left = b0 | b1 | b2 | b3 | b4 | b5 | b6 | b7;
    while (left != 0u) {
      let bit = countTrailingZeros(left);
      left &= left - 1u;
      let at = W + (w * 32u + bit) * out4;
      p = theta[at];
      q = theta[at + right];
      let x0 = vec4f(f32((b0 >> bit) & 1u)); y0 = fma(x0, p, y0); z0 = fma(x0, q, z0);
      let x1 = vec4f(f32((b1 >> bit) & 1u)); y1 = fma(x1, p, y1); z1 = fma(x1, q, z1);
      let x2 = vec4f(f32((b2 >> bit) & 1u)); y2 = fma(x2, p, y2); z2 = fma(x2, q, z2);
      let x3 = vec4f(f32((b3 >> bit) & 1u)); y3 = fma(x3, p, y3); z3 = fma(x3, q, z3);
      let x4 = vec4f(f32((b4 >> bit) & 1u)); y4 = fma(x4, p, y4); z4 = fma(x4, q, z4);
      let x5 = vec4f(f32((b5 >> bit) & 1u)); y5 = fma(x5, p, y5); z5 = fma(x5, q, z5);
      let x6 = vec4f(f32((b6 >> bit) & 1u)); y6 = fma(x6, p, y6); z6 = fma(x6, q, z6);
      let x7 = vec4f(f32((b7 >> bit) & 1u)); y7 = fma(x7, p, y7); z7 = fma(x7, q, z7);
    }
  }
  let at = (s * dims.maxRows + r) * out4 + j;
  let isTwo = right == 1u;
  let real = rowCount - r;
  put(at, isTwo, y0, z0);
  if (real > 1u) { put(at + 1u * out4, isTwo, y1, z1); }
  if (real > 2u) { put(at + 2u * out4, isTwo, y2, z2); }
  if (real > 3u) { put(at + 3u * out4, isTwo, y3, z3); }
  if (real > 4u) { put(at + 4u * out4, isTwo, y4, z4); }
  if (real > 5u) { put(at + 5u * out4, isTwo, y5, z5); }
  if (real > 6u) { put(at + 6u * out4, isTwo, y6, z6); }
  if (real > 7u) { put(at + 7u * out4, isTwo, y7, z7); }
}

// Rows beyond the last repeat it; they are not written.
fn start(s : u32, row : u32) -> u32 { return bitsOf(s, min(row, rowCount - 1u)); }

fn put(at : u32, isTwo : bool, left : vec4f, right : vec4f) {
  store(at, left);
  if (isTwo) { store(at + 1u, right); }
}

fn store(at : u32, z : vec4f) {
  keep(4u * at, z.x); keep(4u * at + 1u, z.y); keep(4u * at + 2u, z.z); keep(4u * at + 3u, z.w);
  Y[at] = vec4f(act(z.x), act(z.y), act(z.z), act(z.w));
}
