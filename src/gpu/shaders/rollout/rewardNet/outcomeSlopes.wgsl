// How the mean over episodes of (Σ y − outcome)² changes with what a model says of each step: 2·(Σ y − outcome)/B in all steps
// of an episode. `error`: root of that mean, where `first` is 1. One workgroup per replica; total.wgsl is linked.
//
// y, slope : [S, B, T+1], of which the entry after the last step is 0     outcome : [S, B]     error : [S]

struct Dims { B : u32, T : u32, first : u32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       length  : array<u32>;
@group(0) @binding(2) var<storage, read>       y       : array<f32>;
@group(0) @binding(3) var<storage, read>       outcome : array<f32>;
@group(0) @binding(4) var<storage, read_write> slope   : array<f32>;
@group(0) @binding(5) var<storage, read_write> error   : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  let width = dims.T + 1u;
  var squares = 0.0;
  for (var i = local; i < dims.B; i += 64u) {
    let row = s * dims.B + i;
    var sum = 0.0;
    for (var t = 0u; t < length[row]; t++) { sum += y[row * width + t]; }
    let gap = sum - outcome[row];
    squares += gap * gap / f32(dims.B);
    for (var t = 0u; t < width; t++) {
      slope[row * width + t] = select(0.0, 2.0 * gap / f32(dims.B), t < length[row]);
    }
  }
  squares = totalOf(local, squares);
  if (local == 0u && dims.first == 1u) { error[s] = sqrt(squares); }
}
