// First layer over 0/1 observations with its activation, outputs in multiples of 4: one invocation per row and 4 outputs, for
// graphics devices that blocks of 8 rows would not fill. Variants: see sparseForwardAny.wgsl.
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
  let s = group.z;
  let r = id / out4;
  if (r >= rowsOf(s)) { return; }
  let j = id % out4;
  let from_ = bitsOf(s, r);
  let W = (s * dims.size + dims.weightAt) / 4u + j;
  var z = vec4f();
  if (dims.hasBias == 1u) { z = theta[(s * dims.size + dims.biasAt) / 4u + j]; }
  for (var w = 0u; w < dims.words; w++) {
    var left = bits[from_ + w];
    while (left != 0u) {
      z += theta[W + (w * 32u + countTrailingZeros(left)) * out4];
      left &= left - 1u;
    }
  }
  let at = (s * dims.maxRows + r) * out4 + j;
  keep(4u * at, z.x); keep(4u * at + 1u, z.y); keep(4u * at + 2u, z.z); keep(4u * at + 3u, z.w);
  Y[at] = vec4f(act(z.x), act(z.y), act(z.z), act(z.w));
}
