// The steps of each trajectory: whether it succeeded, where the credit lies, how far the critic was off. Spreads as M₂, the
// squared distances from the mean so far (Welford), never from a sum of squares. All are 0 for a trajectory of length 0. One
// invocation per trajectory, no barriers.
//
// length : [S, B]     ending : [S, B, 4], the first number is the success     credit : [2][S, B, T] = A, target
// sampled : [3][S, B, T], the third part is V
// sums : [S, B, 12] = 1, success, length of a success, 1 if some |A| > 1e-8; steps, means of A, target, target − V; steps
//        with A > 0, M₂ of A, target, target − V

struct Dims { rows : u32, T : u32, floatSection : u32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       length  : array<u32>;
@group(0) @binding(2) var<storage, read>       ending  : array<u32>;
@group(0) @binding(3) var<storage, read>       credit  : array<f32>;
@group(0) @binding(4) var<storage, read>       sampled : array<f32>;
@group(0) @binding(5) var<storage, read_write> sums    : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let row = (group.x + group.y * 65535u) * 64u + local;
  if (row >= dims.rows) { return; }
  let steps = f32(length[row]);
  let wins = f32(ending[4u * row]);
  var a = select(vec4f(), vec4f(1.0, wins, wins * steps, 0.0), steps > 0.0);
  var above = 0.0;
  var mean = vec3f();
  var squares = vec3f();
  for (var t = 0u; t < length[row]; t++) {
    let k = row * dims.T + t;
    let A = credit[k];
    if (abs(A) > 1.0e-8) { a.w = 1.0; }
    if (A > 0.0) { above += 1.0; }
    let target_ = credit[dims.floatSection + k];
    let x = vec3f(A, target_, target_ - sampled[2u * dims.floatSection + k]);
    if (t == 0u) { mean = x; }
    let d = x - mean;
    mean += d / f32(t + 1u);
    squares += d * (x - mean);
  }
  let b = vec4f(steps, mean);
  let c = vec4f(above, squares);
  for (var k = 0u; k < 4u; k++) {
    sums[12u * row + k] = a[k];
    sums[12u * row + 4u + k] = b[k];
    sums[12u * row + 8u + k] = c[k];
  }
}
