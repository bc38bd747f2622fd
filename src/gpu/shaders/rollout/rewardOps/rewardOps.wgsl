// Small steps between signals and rewards. One invocation per step, or per row for `end`, `mean` and `pay`. Padding is 0.
//
//   at     y[row, t] = x[row, t + ahead] of a column with T + 1 entries a row; 0 after the last step of a row that ended by
//          itself, unless `keeps`
//   last   y[row, t] = x[row] in the last step of the row, 0 before
//   end    y[row] = success, whether it ended by itself, 1 − steps/cols, or x of the last state: by `ahead`, 0 to 3
//   mean   y[row] = mean of x over the real steps of the row
//   pay    y[row, t] = x[row, t], total[row] = their sum
//
// length : [rows]     ending : [rows, 4] = success, terminated, …

struct Dims { rows : u32, cols : u32, ahead : u32, keeps : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       x      : array<f32>;
@group(0) @binding(2) var<storage, read>       length : array<u32>;
@group(0) @binding(3) var<storage, read>       ending : array<u32>;
@group(0) @binding(4) var<storage, read_write> y      : array<f32>;
@group(0) @binding(5) var<storage, read_write> total  : array<f32>;

fn place(group : vec3u, local : u32) -> u32 { return (group.x + group.y * 65535u) * 64u + local; }

@compute @workgroup_size(64)
fn at(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = place(group, local);
  if (id >= dims.rows * dims.cols) { return; }
  let row = id / dims.cols;
  let t = id - row * dims.cols;
  y[id] = 0.0;
  if (t >= length[row]) { return; }
  let isOver = t + dims.ahead == length[row] && ending[4u * row + 1u] == 1u && dims.keeps == 0u;
  if (!isOver) { y[id] = x[row * (dims.cols + 1u) + t + dims.ahead]; }
}

@compute @workgroup_size(64)
fn last(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = place(group, local);
  if (id >= dims.rows * dims.cols) { return; }
  let row = id / dims.cols;
  y[id] = select(0.0, x[row], id - row * dims.cols + 1u == length[row]);
}

@compute @workgroup_size(64)
fn end(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let row = place(group, local);
  if (row >= dims.rows) { return; }
  if (dims.ahead < 2u) { y[row] = f32(ending[4u * row + dims.ahead]); return; }
  y[row] = select(x[row * (dims.cols + 1u) + length[row]], 1.0 - f32(length[row]) / f32(dims.cols), dims.ahead == 2u);
}

fn sumOf(row : u32) -> f32 {
  var sum = 0.0;
  for (var t = 0u; t < length[row]; t++) { sum += x[row * dims.cols + t]; }
  return sum;
}

@compute @workgroup_size(64)
fn mean(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let row = place(group, local);
  if (row < dims.rows) { y[row] = sumOf(row) / f32(max(1u, length[row])); }
}

@compute @workgroup_size(64)
fn pay(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let row = place(group, local);
  if (row >= dims.rows) { return; }
  total[row] = sumOf(row);
  for (var t = 0u; t < dims.cols; t++) { y[row * dims.cols + t] = select(0.0, x[row * dims.cols + t], t < length[row]); }
}
