// A layer of convNetwork.ts: Y[c] = relu(b + Σ_d X[N(c)_d]·W_d (+ X[c] where `skip`)). One invocation per (row, cell) and 4
// channels; sums over the directions, then the numbers of a cell, in ascending order.
//
// X : [S, maxRows, xRow], cells of `depth` numbers     Y : [S, maxRows, yRow], cells of C numbers     theta : [S, size]

struct Dims {
  rows : u32, maxRows : u32, width : u32, height : u32, depth : u32, C : u32,
  xRow : u32, yRow : u32, size : u32, weightAt : u32, biasAt : u32, skip : u32, stride : u32,
}

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       theta : array<f32>;
@group(0) @binding(2) var<storage, read>       X     : array<f32>;
@group(0) @binding(3) var<storage, read_write> Y     : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let columns = (dims.C + 3u) / 4u;
  let cells = dims.width * dims.height;
  let s = group.z;
  if (id >= rowsOf(s) * cells * columns) { return; }
  let j0 = (id % columns) * 4u;
  let cell = (id / columns) % cells;
  let row = s * dims.maxRows + id / (columns * cells);
  let x = i32(cell % dims.width);
  let y = i32(cell / dims.width);
  // channels beyond the last repeat it; they are not written
  let j = min(vec4u(j0, j0 + 1u, j0 + 2u, j0 + 3u), vec4u(dims.C - 1u));
  let own = s * dims.size;
  var sum = load(own + dims.biasAt + j);
  for (var d = 0u; d < 9u; d++) {
    let nx = x + i32(d % 3u) - 1;
    let ny = y + i32(d / 3u) - 1;
    if (nx < 0 || ny < 0 || nx >= i32(dims.width) || ny >= i32(dims.height)) { continue; }
    let from_ = row * dims.xRow + u32(ny * i32(dims.width) + nx) * dims.depth;
    let W = own + dims.weightAt + d * dims.depth * dims.C;
    for (var p = 0u; p < dims.depth; p++) { sum = fma(vec4f(X[from_ + p]), load(W + p * dims.C + j), sum); }
  }
  if (dims.skip == 1u) {
    let at = row * dims.xRow + cell * dims.depth + j;
    sum += vec4f(X[at.x], X[at.y], X[at.z], X[at.w]);
  }
  sum = max(sum, vec4f());
  let to = row * dims.yRow + cell * dims.C + j0;
  Y[to] = sum.x;
  if (j0 + 1u < dims.C) { Y[to + 1u] = sum.y; }
  if (j0 + 2u < dims.C) { Y[to + 2u] = sum.z; }
  if (j0 + 3u < dims.C) { Y[to + 3u] = sum.w; }
}

fn load(at : vec4u) -> vec4f { return vec4f(theta[at.x], theta[at.y], theta[at.z], theta[at.w]); }
