// dX = (dY·Wᵀ) ⊙ slope as a product of tile.wgsl, any shape. Variants: see denseBackwardAny.wgsl.
//
// dY : [S, maxRows, out]     theta : [S, size], W row-major [in, out]     dX : [S, maxRows, in]

struct Dims { rows : u32, inputs : u32, out : u32, maxRows : u32, size : u32, weightAt : u32, stride : u32 }

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       dY    : array<f32>;
@group(0) @binding(2) var<storage, read>       theta : array<f32>;
@group(0) @binding(3) var<storage, read_write> dX    : array<f32>;

const A_ALONG = true;
const B_ALONG = true;

fn tileOf(group : vec3u) -> u32 { return group.x + group.y * 65535u; }
fn extent(s : u32) -> vec2u { return vec2u(rowsOf(s), dims.inputs); }
fn stretch(group : vec3u) -> vec2u { return vec2u(0u, dims.out); }
fn begin(s : u32, n : u32) -> vec4f { return vec4f(); }

fn readA(s : u32, m : u32, k : u32) -> vec4f {
  let row = (s * dims.maxRows + min(vec4u(m, m + 1u, m + 2u, m + 3u), vec4u(rowsOf(s) - 1u))) * dims.out + k;
  return vec4f(dY[row.x], dY[row.y], dY[row.z], dY[row.w]);
}

fn readB(s : u32, k : u32, n : u32) -> vec4f {
  let i = min(vec4u(n, n + 1u, n + 2u, n + 3u), vec4u(dims.inputs - 1u));
  let w = s * dims.size + dims.weightAt + i * dims.out + k;
  return vec4f(theta[w.x], theta[w.y], theta[w.z], theta[w.w]);
}

fn put(group : vec3u, m : u32, n : u32, sum : vec4f) {
  if (m >= rowsOf(group.z) || n >= dims.inputs) { return; }
  let at = (group.z * dims.maxRows + m) * dims.inputs + n;
  store(at, sum.x);
  if (n + 1u < dims.inputs) { store(at + 1u, sum.y); }
  if (n + 2u < dims.inputs) { store(at + 2u, sum.z); }
  if (n + 3u < dims.inputs) { store(at + 3u, sum.w); }
}

fn store(at : u32, sum : f32) {
  if (ADDS) { dX[at] = (dX[at] + sum) * slopeAt(at); } else { dX[at] = sum * slopeAt(at); }
}
