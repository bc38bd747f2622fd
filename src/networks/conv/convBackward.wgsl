// The way back through a layer: dX[c] = (Σ_d dY[c′]·W_dᵀ over the cells c′ whose N(c′)_d is c (+ dY[c] where `skip`)), where
// X[c] > 0, as X comes from a ReLU. One invocation per (row, cell) and 4 channels; directions, then channels, in ascending order.
//
// dY : [S, maxRows, yRow], cells of C numbers     X, dX : [S, maxRows, cells, C]     theta : [S, size]

struct Dims {
  rows : u32, maxRows : u32, width : u32, height : u32, C : u32, yRow : u32, size : u32, weightAt : u32, skip : u32, stride : u32,
}

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       theta : array<f32>;
@group(0) @binding(2) var<storage, read>       dY    : array<f32>;
@group(0) @binding(3) var<storage, read>       X     : array<f32>;
@group(0) @binding(4) var<storage, read_write> dX    : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let columns = (dims.C + 3u) / 4u;
  let cells = dims.width * dims.height;
  let s = group.z;
  if (id >= rowsOf(s) * cells * columns) { return; }
  let i0 = (id % columns) * 4u;
  let cell = (id / columns) % cells;
  let row = s * dims.maxRows + id / (columns * cells);
  let x = i32(cell % dims.width);
  let y = i32(cell / dims.width);
  // channels beyond the last repeat it; they are not written
  let i = min(vec4u(i0, i0 + 1u, i0 + 2u, i0 + 3u), vec4u(dims.C - 1u));
  var sum = vec4f();
  for (var d = 0u; d < 9u; d++) {
    let nx = x + 1 - i32(d % 3u);
    let ny = y + 1 - i32(d / 3u);
    if (nx < 0 || ny < 0 || nx >= i32(dims.width) || ny >= i32(dims.height)) { continue; }
    let from_ = row * dims.yRow + u32(ny * i32(dims.width) + nx) * dims.C;
    let W = s * dims.size + dims.weightAt + (d * dims.C + i) * dims.C;
    for (var j = 0u; j < dims.C; j++) {
      sum = fma(vec4f(dY[from_ + j]), vec4f(theta[W.x + j], theta[W.y + j], theta[W.z + j], theta[W.w + j]), sum);
    }
  }
  if (dims.skip == 1u) {
    let at = row * dims.yRow + cell * dims.C + i;
    sum += vec4f(dY[at.x], dY[at.y], dY[at.z], dY[at.w]);
  }
  let to = (row * cells + cell) * dims.C + i0;
  put(to, sum.x);
  if (i0 + 1u < dims.C) { put(to + 1u, sum.y); }
  if (i0 + 2u < dims.C) { put(to + 2u, sum.z); }
  if (i0 + 3u < dims.C) { put(to + 3u, sum.w); }
}

fn put(at : u32, sum : f32) { dX[at] = select(0.0, sum, X[at] > 0.0); }
