// The sums of convGradient.wgsl as a product of fineTile.wgsl, where workgroup memory is fast: its rows are the numbers of all nine
// cells, and one for the bias, its columns the channels, and a step of the sum is a cell of a row. Outside the board all is 0, which
// changes no sum: the same bits. Slices in y.
//
// X : [S, maxRows, xRow], cells of `depth` numbers     dY : [S, maxRows, yRow], cells of C     partials : [S, slices, size]

struct Dims {
  rows : u32, maxRows : u32, width : u32, height : u32, depth : u32, C : u32,
  xRow : u32, yRow : u32, slices : u32, size : u32, weightAt : u32, biasAt : u32, stride : u32,
}

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       X        : array<f32>;
@group(0) @binding(2) var<storage, read>       dY       : array<f32>;
@group(0) @binding(3) var<storage, read_write> partials : array<f32>;

const A_ALONG = false;
const B_ALONG = false;

fn tileOf(group : vec3u) -> u32 { return group.x; }
fn extent(s : u32) -> vec2u { return vec2u(9u * dims.depth + 1u, dims.C); }
fn begin(s : u32, n : u32) -> vec4f { return vec4f(); }

fn stretch(group : vec3u) -> vec2u {
  let count = rowsOf(group.z);
  let rows = (count + dims.slices - 1u) / dims.slices;
  return min(vec2u(group.y * rows, group.y * rows + rows), vec2u(count)) * dims.width * dims.height;
}

fn around(row : u32, cell : u32, m : u32) -> f32 {
  let d = m / dims.depth;
  if (d > 8u) { return 1.0; }
  let x = i32(cell % dims.width + d % 3u) - 1;
  let y = i32(cell / dims.width + d / 3u) - 1;
  if (x < 0 || y < 0 || x >= i32(dims.width) || y >= i32(dims.height)) { return 0.0; }
  return X[row * dims.xRow + u32(y * i32(dims.width) + x) * dims.depth + m % dims.depth];
}

fn readA(s : u32, m : u32, k : u32) -> vec4f {
  let cells = dims.width * dims.height;
  let row = s * dims.maxRows + k / cells;
  let c = k % cells;
  return vec4f(around(row, c, m), around(row, c, m + 1u), around(row, c, m + 2u), around(row, c, m + 3u));
}

fn readB(s : u32, k : u32, n : u32) -> vec4f {
  let cells = dims.width * dims.height;
  let at = (s * dims.maxRows + k / cells) * dims.yRow + k % cells * dims.C;
  let j = at + min(vec4u(n, n + 1u, n + 2u, n + 3u), vec4u(dims.C - 1u));
  return vec4f(dY[j.x], dY[j.y], dY[j.z], dY[j.w]);
}

fn put(group : vec3u, m : u32, n : u32, sum : vec4f) {
  let weights = 9u * dims.depth;
  if (m > weights || n >= dims.C) { return; }
  let part = (group.z * dims.slices + group.y) * dims.size;
  let at = part + n + select(dims.biasAt, dims.weightAt + m * dims.C, m < weights);
  partials[at] = sum.x;
  if (n + 1u < dims.C) { partials[at + 1u] = sum.y; }
  if (n + 2u < dims.C) { partials[at + 2u] = sum.z; }
  if (n + 3u < dims.C) { partials[at + 3u] = sum.w; }
}
