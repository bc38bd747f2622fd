// dW = Xᵀ·dY and db = Σ dY over a slice of the rows, as a product of tile.wgsl, any shape; one more input stands for the
// bias. Slices in y. Variants: see denseGradientAny.wgsl.
//
// X : [S, maxRows, in]     dY : [S, maxRows, out]     partials : [S, slices, size]

struct Dims {
  rows : u32, inputs : u32, out : u32, maxRows : u32, slices : u32, size : u32, weightAt : u32, biasAt : u32, hasBias : u32,
  stride : u32,
}

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       X        : array<f32>;
@group(0) @binding(2) var<storage, read>       dY       : array<f32>;
@group(0) @binding(3) var<storage, read_write> partials : array<f32>;

const A_ALONG = false;
const B_ALONG = false;

fn tileOf(group : vec3u) -> u32 { return group.x; }
fn extent(s : u32) -> vec2u { return vec2u(dims.inputs + dims.hasBias, dims.out); }
fn begin(s : u32, n : u32) -> vec4f { return vec4f(); }

fn stretch(group : vec3u) -> vec2u {
  let rows = (rowsOf(group.z) + dims.slices - 1u) / dims.slices;
  return min(vec2u(group.y * rows, group.y * rows + rows), vec2u(rowsOf(group.z)));
}

fn readA(s : u32, m : u32, k : u32) -> vec4f {
  let i = vec4u(m, m + 1u, m + 2u, m + 3u);
  let at = (s * dims.maxRows + k) * dims.inputs + min(i, vec4u(dims.inputs - 1u));
  return select(vec4f(1.0), vec4f(X[at.x], X[at.y], X[at.z], X[at.w]), i < vec4u(dims.inputs));
}

fn readB(s : u32, k : u32, n : u32) -> vec4f {
  let j = (s * dims.maxRows + k) * dims.out + min(vec4u(n, n + 1u, n + 2u, n + 3u), vec4u(dims.out - 1u));
  return vec4f(dY[j.x], dY[j.y], dY[j.z], dY[j.w]);
}

fn put(group : vec3u, m : u32, n : u32, sum : vec4f) {
  if (m >= dims.inputs + dims.hasBias || n >= dims.out) { return; }
  let part = (group.z * dims.slices + group.y) * dims.size;
  let at = part + n + select(dims.biasAt, dims.weightAt + m * dims.out, m < dims.inputs);
  give(at, sum.x);
  if (n + 1u < dims.out) { give(at + 1u, sum.y); }
  if (n + 2u < dims.out) { give(at + 2u, sum.z); }
  if (n + 3u < dims.out) { give(at + 3u, sum.w); }
}

fn give(at : u32, sum : f32) {
  if (ADDS) { partials[at] += sum; } else { partials[at] = sum; }
}
