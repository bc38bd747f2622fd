// The policy of new logits at the steps of a batch: π, its entropy, the KL from the probabilities that played a step to it, and
// the largest change of a log-probability of a replica, see nearKl.wgsl in front. One invocation per step; padding is not
// written.
//
// out : [S, B·T, n], logits first     choice : [S, B, T] legal bits     length : [S, B]     played : [S, B, T, actions]
// seen : sections of `floatSection`: the second is the entropy, the third the KL; then at `probsAt` [S, B, T, actions] π
// most : [S] largest change of a log-probability, 0 before

struct Dims { B : u32, T : u32, actions : u32, n : u32, floatSection : u32, probsAt : u32, inverse : f32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       out    : array<f32>;
@group(0) @binding(2) var<storage, read>       choice : array<u32>;
@group(0) @binding(3) var<storage, read>       length : array<u32>;
@group(0) @binding(4) var<storage, read>       played : array<f32>;
@group(0) @binding(5) var<storage, read_write> seen   : array<f32>;
@group(0) @binding(6) var<storage, read_write> most   : array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.B * dims.T || id % dims.T >= length[group.z * dims.B + id / dims.T]) { return; }
  let step = group.z * dims.B * dims.T + id;
  let legal = choice[step];
  var top = -3.0e38;
  for (var a = 0u; a < dims.actions; a++) {
    if (((legal >> a) & 1u) == 1u) { top = max(top, out[step * dims.n + a] * dims.inverse); }
  }
  var total = 0.0;
  for (var a = 0u; a < dims.actions; a++) {
    now[a] = 0.0;
    if (((legal >> a) & 1u) == 1u) { now[a] = exp(out[step * dims.n + a] * dims.inverse - top); }
    total += now[a];
  }
  var entropy = 0.0;
  for (var a = 0u; a < dims.actions; a++) {
    now[a] /= total;
    if (now[a] > 0.0) { entropy -= now[a] * (out[step * dims.n + a] * dims.inverse - top - log(total)); }
    seen[dims.probsAt + step * dims.actions + a] = now[a];
  }
  seen[dims.floatSection + step] = entropy;
  seen[2u * dims.floatSection + step] = nearKl(group.z, step);
}
