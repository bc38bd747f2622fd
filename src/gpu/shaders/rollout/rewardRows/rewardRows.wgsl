// What rewards read of a whole row of a signal. One invocation per row for `gains` and `upTo`, else per step. Padding is 0.
//
//   gains     y[row, t] = how far x[row, t + 1] rises above all of x[row, 0 … t], of T + 1 entries a row
//   upTo      y[row, t] = 1 until x[row, t] is first not 0, that step included; then 0
//   product   y[row, t] = Π of the `width` numbers of the step
//   named     y[row, t] = how many of the `width` numbers of the row are t
//
// length : [rows]

struct Dims { rows : u32, cols : u32, width : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       x      : array<f32>;
@group(0) @binding(2) var<storage, read>       length : array<u32>;
@group(0) @binding(3) var<storage, read_write> y      : array<f32>;

fn place(group : vec3u, local : u32) -> u32 { return (group.x + group.y * 65535u) * 64u + local; }

@compute @workgroup_size(64)
fn gains(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let row = place(group, local);
  if (row >= dims.rows) { return; }
  var best = x[row * (dims.cols + 1u)];
  for (var t = 0u; t < dims.cols; t++) {
    let now = x[row * (dims.cols + 1u) + t + 1u];
    y[row * dims.cols + t] = select(0.0, max(0.0, now - best), t < length[row]);
    best = max(best, now);
  }
}

@compute @workgroup_size(64)
fn upTo(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let row = place(group, local);
  if (row >= dims.rows) { return; }
  var open = 1.0;
  for (var t = 0u; t < dims.cols; t++) {
    y[row * dims.cols + t] = select(0.0, open, t < length[row]);
    if (x[row * dims.cols + t] != 0.0) { open = 0.0; }
  }
}

@compute @workgroup_size(64)
fn product(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = place(group, local);
  if (id >= dims.rows * dims.cols) { return; }
  var all = select(0.0, 1.0, id % dims.cols < length[id / dims.cols]);
  for (var k = 0u; k < dims.width; k++) { all *= x[id * dims.width + k]; }
  y[id] = all;
}

@compute @workgroup_size(64)
fn named(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = place(group, local);
  if (id >= dims.rows * dims.cols) { return; }
  let row = id / dims.cols;
  let t = id - row * dims.cols;
  var count = 0.0;
  for (var k = 0u; k < dims.width; k++) {
    if (t < length[row] && x[row * dims.width + k] == f32(t)) { count += 1.0; }
  }
  y[id] = count;
}
