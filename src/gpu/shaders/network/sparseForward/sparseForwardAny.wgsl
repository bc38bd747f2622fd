// First layer over 0/1 observations with its activation, for any width: Y[s,r,:] = act(b + sum over set bits f of W[f,:]).
// One invocation per row and 4 outputs; bits in ascending order in all variants. Rows as in sparseForward.wgsl, which is the
// naive form without activation, or those of a list (listedBits.wgsl). `act`, `keep`: see activation/.
//
// Variants; ms for 4096 rows of 400 bits, 100 of them set, and 128 outputs on two cores of SwiftShader:
//   sparseForward 309     sparseForwardAny 120     sparseForwardWide, for outputs in multiples of 4:
//   63 where no row is like the one before it, 52 where up to 8 features change from row to row, 49 where none does
//
// bits : u32 words     theta : [S, size]     Y : [S, maxRows, out]

struct Dims {
  rows : u32, out : u32, words : u32, B : u32,
  inner : u32, outerStride : u32, innerStride : u32, base : u32,
  size : u32, weightAt : u32, biasAt : u32, hasBias : u32, maxRows : u32, stride : u32,
}

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       bits  : array<u32>;
@group(0) @binding(2) var<storage, read>       theta : array<f32>;
@group(0) @binding(3) var<storage, read_write> Y     : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let columns = (dims.out + 3u) / 4u;
  let s = group.z;
  if (id >= rowsOf(s) * columns) { return; }
  let r = id / columns;
  let j0 = (id % columns) * 4u;
  let start_ = bitsOf(s, r);
  // columns beyond the last repeat it; they are not written
  let j = min(vec4u(j0, j0 + 1u, j0 + 2u, j0 + 3u), vec4u(dims.out - 1u));
  let W = s * dims.size + dims.weightAt;
  var y = vec4f();
  if (dims.hasBias == 1u) { y = load(s * dims.size + dims.biasAt + j); }
  for (var w = 0u; w < dims.words; w++) {
    var word = bits[start_ + w];
    while (word != 0u) {
      let bit = countTrailingZeros(word);
      word &= word - 1u;
      y += load(W + (w * 32u + bit) * dims.out + j);
    }
  }
  let at = (s * dims.maxRows + r) * dims.out + j0;
  store(at, y.x);
  if (j0 + 1u < dims.out) { store(at + 1u, y.y); }
  if (j0 + 2u < dims.out) { store(at + 2u, y.z); }
  if (j0 + 3u < dims.out) { store(at + 3u, y.w); }
}

fn load(at : vec4u) -> vec4f { return vec4f(theta[at.x], theta[at.y], theta[at.z], theta[at.w]); }

fn store(at : u32, z : f32) {
  keep(at, z);
  Y[at] = act(z);
}
