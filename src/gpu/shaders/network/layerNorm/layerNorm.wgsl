// Y = gain ⊙ (x − mean) / √(var + 1e-5) + bias for every live row. One invocation per row; replicas in z.
//
// rows : [S, stride], word `which` counts live rows     X, Y : [S, maxRows, D]     theta : [S, size]
// moments : [S, maxRows, 2] = mean, 1/√(var + 1e-5)

struct Dims { which : u32, stride : u32, maxRows : u32, D : u32, size : u32, gainAt : u32, biasAt : u32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       rows    : array<u32>;
@group(0) @binding(2) var<storage, read>       X       : array<f32>;
@group(0) @binding(3) var<storage, read>       theta   : array<f32>;
@group(0) @binding(4) var<storage, read_write> Y       : array<f32>;
@group(0) @binding(5) var<storage, read_write> moments : array<vec2f>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let r = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  if (r >= rows[s * dims.stride + dims.which]) { return; }
  let row = s * dims.maxRows + r;
  let at = row * dims.D;
  let theta0 = s * dims.size;
  var mean = 0.0;
  for (var j = 0u; j < dims.D; j++) { mean += X[at + j]; }
  mean /= f32(dims.D);
  var squares = 0.0;
  for (var j = 0u; j < dims.D; j++) {
    let d = X[at + j] - mean;
    squares += d * d;
  }
  let scale = 1.0 / sqrt(squares / f32(dims.D) + 1.0e-5);
  moments[row] = vec2f(mean, scale);
  for (var j = 0u; j < dims.D; j++) {
    Y[at + j] = theta[theta0 + dims.gainAt + j] * ((X[at + j] - mean) * scale) + theta[theta0 + dims.biasAt + j];
  }
}
