// First layer over 0/1 observations: Y[s,r,:] = b + sum over set bits f of row r of W[f,:].
// One invocation per (row, output); replicas in z.
//
// Row r has its bits at ((s·B + r / inner)·outerStride + (r mod inner)·innerStride + base), so that one kernel serves
// a single step of all trajectories (inner 1) and a whole batch of steps (inner T).
//
// bits : u32 words     theta : [S, size]     Y : [S, maxRows, out]

struct Dims {
  rows : u32, out : u32, words : u32, B : u32,
  inner : u32, outerStride : u32, innerStride : u32, base : u32,
  size : u32, weightAt : u32, biasAt : u32, hasBias : u32, maxRows : u32,
}

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       bits  : array<u32>;
@group(0) @binding(2) var<storage, read>       theta : array<f32>;
@group(0) @binding(3) var<storage, read_write> Y     : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.rows * dims.out) { return; }
  let s = group.z;
  let r = id / dims.out;
  let j = id % dims.out;
  let start_ = (s * dims.B + r / dims.inner) * dims.outerStride + (r % dims.inner) * dims.innerStride + dims.base;
  let W = s * dims.size + dims.weightAt + j;
  var y = 0.0;
  if (dims.hasBias == 1u) { y = theta[s * dims.size + dims.biasAt + j]; }
  for (var w = 0u; w < dims.words; w++) {
    var word = bits[start_ + w];
    while (word != 0u) {
      let bit = countTrailingZeros(word);
      word &= word - 1u;
      y += theta[W + (w * 32u + bit) * dims.out];
    }
  }
  Y[(s * dims.maxRows + r) * dims.out + j] = y;
}
