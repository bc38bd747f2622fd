// dW = Xᵀ·dY and db = sum of dY over a slice of the live rows, added to the slice's part. One invocation computes
// 4 inputs × 4 columns, one more input stands for the bias; slices in y, replicas in z; rows in order.
//
// rows : [S, stride]     X : [S, maxRows, in]     dY : [S, maxRows, out]     partials : [S, slices, size], added to

struct Dims {
  which : u32, stride : u32, maxRows : u32, inputs : u32, out : u32, slices : u32, size : u32, weightAt : u32, biasAt : u32,
  hasBias : u32,
}

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       rows     : array<u32>;
@group(0) @binding(2) var<storage, read>       X        : array<f32>;
@group(0) @binding(3) var<storage, read>       dY       : array<f32>;
@group(0) @binding(4) var<storage, read_write> partials : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = group.x * 64u + local;
  let s = group.z;
  let quarter = (dims.out + 3u) / 4u;
  let i0 = (id / quarter) * 4u;
  if (i0 >= dims.inputs + dims.hasBias) { return; }
  let live = rows[s * dims.stride + dims.which];
  let stretch = (live + dims.slices - 1u) / dims.slices;
  let from_ = group.y * stretch;
  let j0 = id % quarter;
  let j = vec4u(j0, j0 + quarter, j0 + 2u * quarter, j0 + 3u * quarter);
  let c = min(j, vec4u(dims.out - 1u));
  let i = vec4u(i0, i0 + 1u, i0 + 2u, i0 + 3u);
  let isInput = i < vec4u(dims.inputs);
  let safe = min(i, vec4u(dims.inputs - 1u));
  var sum = array<vec4f, 4>();
  for (var r = from_; r < min(from_ + stretch, live); r++) {
    let row = s * dims.maxRows + r;
    let at = row * dims.inputs;
    let d = row * dims.out;
    let x = select(vec4f(1.0), vec4f(X[at + safe.x], X[at + safe.y], X[at + safe.z], X[at + safe.w]), isInput);
    let dy = vec4f(dY[d + c.x], dY[d + c.y], dY[d + c.z], dY[d + c.w]);
    sum[0] += x.x * dy;
    sum[1] += x.y * dy;
    sum[2] += x.z * dy;
    sum[3] += x.w * dy;
  }
  let part = (s * dims.slices + group.y) * dims.size;
  for (var k = 0u; k < 4u; k++) {
    if (i[k] >= dims.inputs + dims.hasBias) { break; }
    let to = part + select(dims.biasAt, dims.weightAt + i[k] * dims.out, isInput[k]);
    for (var n = 0u; n < 4u; n++) {
      if (j[n] < dims.out) { partials[to + j[n]] += sum[k][n]; }
    }
  }
}
