// Gradient of a layer over a slice of the rows: dW_d[p,j] = Σ X[N(c)_d, p]·dY[c, j] over rows and cells, db[j] = Σ dY[c, j]. One
// invocation per direction, 4 numbers of a cell and 4 channels; a tenth direction stands for the bias. Slices in y, replicas in
// z; rows, then cells, in ascending order. sliceSum adds the slices up: no atomics.
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

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = group.x * 64u + local;
  let columns = (dims.C + 3u) / 4u;
  let deep = (dims.depth + 3u) / 4u;
  let j0 = (id % columns) * 4u;
  let p0 = ((id / columns) % deep) * 4u;
  let d = id / (columns * deep);
  // the bias has no numbers of a cell
  if (d > 9u || (d == 9u && p0 > 0u)) { return; }
  let s = group.z;
  let count = rowsOf(s);
  let stretch = (count + dims.slices - 1u) / dims.slices;
  let first = group.y * stretch;
  let last = min(first + stretch, count);
  // numbers and channels beyond the last repeat it; they are not written
  let p = min(vec4u(p0, p0 + 1u, p0 + 2u, p0 + 3u), vec4u(dims.depth - 1u));
  let j = min(vec4u(j0, j0 + 1u, j0 + 2u, j0 + 3u), vec4u(dims.C - 1u));
  let width = i32(dims.width);
  let height = i32(dims.height);
  let isBias = d == 9u;
  let dx = select(i32(d % 3u) - 1, 0, isBias);
  let dy = select(i32(d / 3u) - 1, 0, isBias);
  var s0 = vec4f();
  var s1 = vec4f();
  var s2 = vec4f();
  var s3 = vec4f();
  for (var r = first; r < last; r++) {
    let row = s * dims.maxRows + r;
    for (var y = max(0, -dy); y < min(height, height - dy); y++) {
      for (var x = max(0, -dx); x < min(width, width - dx); x++) {
        let g = row * dims.yRow + u32(y * width + x) * dims.C + j;
        let b = vec4f(dY[g.x], dY[g.y], dY[g.z], dY[g.w]);
        var a = vec4f(1.0);
        if (!isBias) {
          let at = row * dims.xRow + u32((y + dy) * width + x + dx) * dims.depth + p;
          a = vec4f(X[at.x], X[at.y], X[at.z], X[at.w]);
        }
        s0 = fma(vec4f(a.x), b, s0);
        s1 = fma(vec4f(a.y), b, s1);
        s2 = fma(vec4f(a.z), b, s2);
        s3 = fma(vec4f(a.w), b, s3);
      }
    }
  }
  let part = (s * dims.slices + group.y) * dims.size + j0;
  if (isBias) {
    put(part + dims.biasAt, j0, s0);
    return;
  }
  let W = part + dims.weightAt + (d * dims.depth + p0) * dims.C;
  put(W, j0, s0);
  if (p0 + 1u < dims.depth) { put(W + dims.C, j0, s1); }
  if (p0 + 2u < dims.depth) { put(W + 2u * dims.C, j0, s2); }
  if (p0 + 3u < dims.depth) { put(W + 3u * dims.C, j0, s3); }
}

fn put(at : u32, j : u32, sum : vec4f) {
  partials[at] = sum.x;
  if (j + 1u < dims.C) { partials[at + 1u] = sum.y; }
  if (j + 2u < dims.C) { partials[at + 2u] = sum.z; }
  if (j + 3u < dims.C) { partials[at + 3u] = sum.w; }
}
