// Y = act(X·W + b) as a product of tile.wgsl, any shape. Variants: see denseForwardAny.wgsl.
//
// X : [S, maxRows, in]     theta : [S, size], W row-major [in, out]     Y : [S, maxRows, out]

struct Dims {
  rows : u32, inputs : u32, out : u32, maxRows : u32, size : u32, weightAt : u32, biasAt : u32, hasBias : u32, stride : u32,
}

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       X     : array<f32>;
@group(0) @binding(2) var<storage, read>       theta : array<f32>;
@group(0) @binding(3) var<storage, read_write> Y     : array<f32>;

const A_ALONG = true;
const B_ALONG = false;

fn tileOf(group : vec3u) -> u32 { return group.x + group.y * 65535u; }
fn extent(s : u32) -> vec2u { return vec2u(rowsOf(s), dims.out); }
fn stretch(group : vec3u) -> vec2u { return vec2u(0u, dims.inputs); }

fn begin(s : u32, n : u32) -> vec4f {
  if (dims.hasBias == 0u) { return vec4f(); }
  return load(s * dims.size + dims.biasAt, n);
}

fn readA(s : u32, m : u32, k : u32) -> vec4f {
  let row = (s * dims.maxRows + min(vec4u(m, m + 1u, m + 2u, m + 3u), vec4u(rowsOf(s) - 1u))) * dims.inputs + k;
  return vec4f(X[row.x], X[row.y], X[row.z], X[row.w]);
}

fn readB(s : u32, k : u32, n : u32) -> vec4f { return load(s * dims.size + dims.weightAt + k * dims.out, n); }

fn load(at : u32, n : u32) -> vec4f {
  let j = at + min(vec4u(n, n + 1u, n + 2u, n + 3u), vec4u(dims.out - 1u));
  return vec4f(theta[j.x], theta[j.y], theta[j.z], theta[j.w]);
}

fn put(group : vec3u, m : u32, n : u32, z : vec4f) {
  if (m >= rowsOf(group.z) || n >= dims.out) { return; }
  let at = (group.z * dims.maxRows + m) * dims.out + n;
  store(at, z.x);
  if (n + 1u < dims.out) { store(at + 1u, z.y); }
  if (n + 2u < dims.out) { store(at + 2u, z.z); }
  if (n + 3u < dims.out) { store(at + 3u, z.w); }
}

fn store(at : u32, z : f32) {
  keep(at, z);
  Y[at] = act(z);
}
