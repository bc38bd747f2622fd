// dX (+)= scale·(g − mean g − u·mean(g ⊙ u)) with g = dY ⊙ gain and u = (x − mean)·scale. One invocation per live row.
//
// rows : [S, stride]     X, dY, dX : [S, maxRows, D]     moments : [S, maxRows, 2]     theta : [S, size]

struct Dims { which : u32, stride : u32, maxRows : u32, D : u32, size : u32, gainAt : u32, accumulate : u32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       rows    : array<u32>;
@group(0) @binding(2) var<storage, read>       X       : array<f32>;
@group(0) @binding(3) var<storage, read>       moments : array<vec2f>;
@group(0) @binding(4) var<storage, read>       theta   : array<f32>;
@group(0) @binding(5) var<storage, read>       dY      : array<f32>;
@group(0) @binding(6) var<storage, read_write> dX      : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let r = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  if (r >= rows[s * dims.stride + dims.which]) { return; }
  let row = s * dims.maxRows + r;
  let at = row * dims.D;
  let gain = s * dims.size + dims.gainAt;
  let m = moments[row];
  var mean = 0.0;
  var along = 0.0;
  for (var j = 0u; j < dims.D; j++) {
    let g = dY[at + j] * theta[gain + j];
    mean += g;
    along += g * ((X[at + j] - m.x) * m.y);
  }
  mean /= f32(dims.D);
  along /= f32(dims.D);
  for (var j = 0u; j < dims.D; j++) {
    let u = (X[at + j] - m.x) * m.y;
    let d = m.y * (dY[at + j] * theta[gain + j] - mean - u * along);
    if (dims.accumulate == 1u) { dX[at + j] += d; } else { dX[at + j] = d; }
  }
}
