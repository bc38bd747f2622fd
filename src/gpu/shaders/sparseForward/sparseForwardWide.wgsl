// First layer over 0/1 observations with its activation, outputs in multiples of 4: one invocation per row and 8 outputs, so
// that a word is taken apart once for eight sums. Variants: see sparseForwardAny.wgsl.
//
// bits : u32 words     theta : [S, size/4]     Y : [S, maxRows, out/4]

struct Dims {
  rows : u32, out : u32, words : u32, B : u32,
  inner : u32, outerStride : u32, innerStride : u32, base : u32,
  size : u32, weightAt : u32, biasAt : u32, hasBias : u32, maxRows : u32,
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
  if (id >= dims.rows * columns) { return; }
  let s = group.z;
  let r = id / columns;
  let j = (id % columns) * 2u;
  let start_ = (s * dims.B + r / dims.inner) * dims.outerStride + (r % dims.inner) * dims.innerStride + dims.base;
  // columns beyond the last repeat it; they are not written
  let right = select(0u, 1u, j + 1u < out4);
  let W = (s * dims.size + dims.weightAt) / 4u + j;
  var y = vec4f();
  var z = vec4f();
  if (dims.hasBias == 1u) {
    let b = (s * dims.size + dims.biasAt) / 4u + j;
    y = theta[b];
    z = theta[b + right];
  }
  for (var w = 0u; w < dims.words; w++) {
    var word = bits[start_ + w];
    while (word != 0u) {
      let at = W + (w * 32u + countTrailingZeros(word)) * out4;
      word &= word - 1u;
      y += theta[at];
      z += theta[at + right];
    }
  }
  let at = (s * dims.maxRows + r) * out4 + j;
  store(at, y);
  if (right == 1u) { store(at + 1u, z); }
}

fn store(at : u32, z : vec4f) {
  keep(4u * at, z.x); keep(4u * at + 1u, z.y); keep(4u * at + 2u, z.z); keep(4u * at + 3u, z.w);
  Y[at] = vec4f(act(z.x), act(z.y), act(z.z), act(z.w));
}
