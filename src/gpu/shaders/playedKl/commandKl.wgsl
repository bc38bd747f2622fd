// The policy of the logits of words at the steps of a batch: π of the actions, entropy along what was written, the KL from the
// probabilities that played a step to it, see commandProbs.wgsl and nearKl.wgsl in front, for every row of a chunk. One
// invocation per row.
//
// rows : [S, 4 + 2R]     out : [S, R, n]     grammar : see command.wgsl     choice : [3][S, B, T] = legal bits, action, command
// played : [S, B, T, actions]
// seen : as commandHead writes `sampled`, entropies and in place of the value the KL; then at `probsAt` [S, B, T, actions] π
// most : [S] largest change of a log-probability, 0 before

struct Dims {
  B : u32, T : u32, R : u32, J : u32, n : u32, masked : u32, decisions : u32, actions : u32, section : u32,
  floatSection : u32, probsAt : u32, inverse : f32,
}

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       rows    : array<u32>;
@group(0) @binding(2) var<storage, read>       out     : array<f32>;
@group(0) @binding(3) var<storage, read>       grammar : array<u32>;
@group(0) @binding(4) var<storage, read>       choice  : array<u32>;
@group(0) @binding(5) var<storage, read>       played  : array<f32>;
@group(0) @binding(6) var<storage, read_write> seen    : array<f32>;
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
  for (var a = 0u; a < dims.actions; a++) { seen[dims.probsAt + step * dims.actions + a] = now[a]; }
  seen[2u * dims.floatSection + step] = nearKl(s, step);
  let z = (s * dims.R + r) * dims.n;
  let unitAt = (3u + dims.decisions) * dims.floatSection + step * dims.decisions;
  var entropy = 0.0;
  var j = 0u;
  for (var k = 0u; k < dims.decisions; k++) {
    let m = softmax(j, z, choice[step]);
    var h = 0.0;
    for (var c = firstSlot(j); c < endSlot(j); c++) {
      if (!isLegalSlot(c, choice[step])) { continue; }
      let x = out[z + c] * dims.inverse - m.x;
      let e = exp(x);
      if (e > 0.0) { h -= e / m.y * (x - log(m.y)); }
    }
    seen[unitAt + k] = h;
    entropy += h;
    let chosen = slotOf(j, choice[2u * dims.section + step]);
    if (chosen == NONE || slotNext(chosen) == NONE) { break; }
    j = slotNext(chosen);
  }
  seen[dims.floatSection + step] = entropy;
}
