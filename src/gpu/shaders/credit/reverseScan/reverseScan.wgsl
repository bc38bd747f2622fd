// x[t] = b[t] + a·x[t+1], from the last real step of each row back to the first. Padding (t >= length[row]) is 0.
// One invocation per row: rows are independent and many, so no barrier is needed.
//
// b, x : [rows, cols] row-major     length : [rows]

struct Dims { rows : u32, cols : u32, a : f32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       b      : array<f32>;
@group(0) @binding(2) var<storage, read>       length : array<u32>;
@group(0) @binding(3) var<storage, read_write> x      : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let row = group.x * 64u + local;
  if (row >= dims.rows) { return; }
  let start = row * dims.cols;
  var carry = 0.0;
  for (var k = 0u; k < dims.cols; k++) {
    let t = dims.cols - 1u - k;
    if (t < length[row]) {
      carry = b[start + t] + dims.a * carry;
      x[start + t] = carry;
    } else {
      x[start + t] = 0.0;
    }
  }
}
