// KL from the probabilities that played a step to those of the logits of words, see commandProbs.wgsl and nearKl.wgsl in
// front, for every row of a chunk. One invocation per row.
//
// rows : [S, 4 + 2R]     out : [S, R, n]     grammar : see command.wgsl     choice : [S, B, T] legal bits
// played : [S, B, T, actions]     y : [S, B, T]
// most : [S] largest change of a log-probability, 0 before

struct Dims { B : u32, T : u32, R : u32, J : u32, n : u32, masked : u32, actions : u32, inverse : f32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       rows    : array<u32>;
@group(0) @binding(2) var<storage, read>       out     : array<f32>;
@group(0) @binding(3) var<storage, read>       grammar : array<u32>;
@group(0) @binding(4) var<storage, read>       choice  : array<u32>;
@group(0) @binding(5) var<storage, read>       played  : array<f32>;
@group(0) @binding(6) var<storage, read_write> y       : array<f32>;
@group(0) @binding(7) var<storage, read_write> most    : array<atomic<u32>>;

fn keepProb(action : u32, p : f32) { now[action] = p; }

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let r = group.x * 64u + local;
  let s = group.z;
  let start = s * (4u + 2u * dims.R);
  if (r >= rows[start]) { return; }
  let step = s * dims.B * dims.T + rows[start + 4u + dims.R + r];
  for (var a = 0u; a < dims.actions; a++) { keepProb(a, 0.0); }
  eachProb((s * dims.R + r) * dims.n, choice[step]);
  y[step] = nearKl(s, step);
}
