// How the mean of (y − label)² over the states of a batch changes with what a model says of each. Between the k-th and the next
// of K milestones the label is (k + share of the way)/K, after the last k/K. K: those reached, over their share at the end.
// `error`: root of that mean, where `first` is 1. One workgroup per replica; total.wgsl is linked.
//
// y, share, slope : [S, B, T+1]     reached : [S, B, 16], the step that reached each, −1 never     error : [S]

struct Dims { B : u32, T : u32, first : u32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       length  : array<u32>;
@group(0) @binding(2) var<storage, read>       y       : array<f32>;
@group(0) @binding(3) var<storage, read>       reached : array<f32>;
@group(0) @binding(4) var<storage, read>       share   : array<f32>;
@group(0) @binding(5) var<storage, read_write> slope   : array<f32>;
@group(0) @binding(6) var<storage, read_write> error   : array<f32>;

/// The step after which the k-th milestone holds, from 1 on; 0: the start.
fn reachedAt(row : u32, k : u32) -> f32 {
  if (k == 0u) { return 0.0; }
  return reached[16u * row + k - 1u] + 1.0;
}

fn labelOf(row : u32, t : u32) -> f32 {
  var n = 0u;
  while (n < 16u && reached[16u * row + n] >= 0.0) { n++; }
  let all = share[row * (dims.T + 1u) + length[row]];
  if (n == 0u || all <= 0.0) { return 0.0; }
  let K = max(f32(n), floor(f32(n) / all + 0.5));
  var k = n;
  while (k > 0u && reachedAt(row, k) > f32(t)) { k--; }
  if (k == n) { return f32(k) / K; }
  let from_ = reachedAt(row, k);
  return (f32(k) + (f32(t) - from_) / (reachedAt(row, k + 1u) - from_)) / K;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  let width = dims.T + 1u;
  var states = 0.0;
  for (var i = local; i < dims.B; i += 64u) { states += f32(length[s * dims.B + i] + 1u); }
  states = totalOf(local, states);
  var squares = 0.0;
  for (var k = local; k < dims.B * width; k += 64u) {
    let row = s * dims.B + k / width;
    let t = k % width;
    let at = s * dims.B * width + k;
    slope[at] = 0.0;
    if (t > length[row]) { continue; }
    let gap = y[at] - labelOf(row, t);
    squares += gap * gap;
    slope[at] = 2.0 * gap / states;
  }
  squares = totalOf(local, squares);
  if (local == 0u && dims.first == 1u) { error[s] = sqrt(squares / states); }
}
