// Y = X·W + b for the live rows, and ReLU of it if asked for. One invocation computes 4 rows × 4 columns in registers,
// its columns a quarter of the width apart, so that neighbors read neighboring weights. No barriers: the weights of a
// small network fit the cache, and a form tiled through workgroup memory pays off only from about 256 inputs.
//
// rows : [S, stride], word `which` counts live rows     X : [S, maxRows, in]     theta : [S, size], W row-major [in, out]
// Y : [S, maxRows, out]

struct Dims {
  which : u32, stride : u32, maxRows : u32, inputs : u32, out : u32, size : u32, weightAt : u32, biasAt : u32,
  hasBias : u32, relu : u32,
}

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       rows  : array<u32>;
@group(0) @binding(2) var<storage, read>       X     : array<f32>;
@group(0) @binding(3) var<storage, read>       theta : array<f32>;
@group(0) @binding(4) var<storage, read_write> Y     : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  let live = rows[s * dims.stride + dims.which];
  let quarter = (dims.out + 3u) / 4u;
  let r0 = (id / quarter) * 4u;
  if (r0 >= live) { return; }
  // rows and columns beyond the last repeat it; they are not written
  let r = min(vec4u(r0, r0 + 1u, r0 + 2u, r0 + 3u), vec4u(live - 1u));
  let j0 = id % quarter;
  let j = vec4u(j0, j0 + quarter, j0 + 2u * quarter, j0 + 3u * quarter);
  let c = min(j, vec4u(dims.out - 1u));
  let x = (s * dims.maxRows + r) * dims.inputs;
  let W = s * dims.size + dims.weightAt;
  var sum = array<vec4f, 4>();
  for (var i = 0u; i < dims.inputs; i++) {
    let row = W + i * dims.out;
    let w = vec4f(theta[row + c.x], theta[row + c.y], theta[row + c.z], theta[row + c.w]);
    sum[0] += X[x.x + i] * w;
    sum[1] += X[x.y + i] * w;
    sum[2] += X[x.z + i] * w;
    sum[3] += X[x.w + i] * w;
  }
  var b = vec4f();
  if (dims.hasBias == 1u) {
    let at = s * dims.size + dims.biasAt;
    b = vec4f(theta[at + c.x], theta[at + c.y], theta[at + c.z], theta[at + c.w]);
  }
  for (var k = 0u; k < 4u; k++) {
    if (r0 + k >= live) { break; }
    var y = sum[k] + b;
    if (dims.relu == 1u) { y = max(y, vec4f()); }
    let to = (s * dims.maxRows + r0 + k) * dims.out;
    for (var n = 0u; n < 4u; n++) {
      if (j[n] < dims.out) { Y[to + j[n]] = y[n]; }
    }
  }
}
