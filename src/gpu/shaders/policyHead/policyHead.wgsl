// From logits to an action: masked softmax, entropy, categorical sample by inverse CDF, log-probability, value.
// One invocation per trajectory at step t; trajectories that have ended write nothing.
// Draws are those of core/random.ts; flag 1 (policy) is raised when log Z is not finite.
//
// logits : [S, maxRows, n], row = trajectory     choice : [2][S, B, T] = legal bits, action
// sampled : [3][S, B, T] = log-probability, entropy, value     probs : [S, B, T, actions]
// roll : purpose, update, then the seed of each replica     flags : [S]

struct Dims { B : u32, T : u32, t : u32, actions : u32, n : u32, maxRows : u32, section : u32, floatSection : u32, inverse : f32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       logits  : array<f32>;
@group(0) @binding(2) var<storage, read>       length  : array<u32>;
@group(0) @binding(3) var<storage, read>       roll    : array<u32>;
@group(0) @binding(4) var<storage, read_write> choice  : array<u32>;
@group(0) @binding(5) var<storage, read_write> sampled : array<f32>;
@group(0) @binding(6) var<storage, read_write> probs   : array<f32>;
@group(0) @binding(7) var<storage, read_write> flags   : array<atomic<u32>>;

fn isFinite(x : f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = group.x * 64u + local;
  if (i >= dims.B) { return; }
  let s = group.z;
  let row = s * dims.B + i;
  if (length[row] != 0u) { return; }
  let step = row * dims.T + dims.t;
  let z = (s * dims.maxRows + i) * dims.n;
  let legal = choice[step];
  var top = -3.0e38;
  var finite = true;
  for (var b = 0u; b < dims.actions; b++) {
    if (((legal >> b) & 1u) == 1u) {
      let x = logits[z + b] * dims.inverse;
      finite = finite && isFinite(x);
      top = max(top, x);
    }
  }
  var total = 0.0;
  for (var b = 0u; b < dims.actions; b++) {
    if (((legal >> b) & 1u) == 1u) { total += exp(logits[z + b] * dims.inverse - top); }
  }
  if (!finite) { atomicMax(&flags[s], 1u); }
  let u = uniform01(random(roll[2u + s], roll[0], roll[1], i, dims.t)) * total;
  var running = 0.0;
  var action = 0u;
  var isChosen = false;
  var entropy = 0.0;
  for (var b = 0u; b < dims.actions; b++) {
    var p = 0.0;
    if (((legal >> b) & 1u) == 1u) {
      let x = logits[z + b] * dims.inverse - top;
      let e = exp(x);
      running += e;
      if (!isChosen) { action = b; isChosen = u < running; }
      p = e / total;
      if (p > 0.0) { entropy -= p * (x - log(total)); }
    }
    probs[step * dims.actions + b] = p;
  }
  choice[dims.section + step] = action;
  sampled[step] = logits[z + action] * dims.inverse - top - log(total);
  sampled[dims.floatSection + step] = entropy;
  if (dims.n > dims.actions) { sampled[2u * dims.floatSection + step] = logits[z + dims.actions]; }
}
