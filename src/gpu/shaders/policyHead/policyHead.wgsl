// The decisions of step t from the logits of all trajectories, see decide.wgsl. One invocation per trajectory;
// trajectories that have ended write nothing. Draws are those of core/random.ts; flag 1 (policy) is raised when a legal
// logit is not finite.
//
// logits : [S, maxRows, n], row = trajectory     choice : [2][S, B, T] = legal bits, action
// sampled : [3][S, B, T] = log-probability, entropy, value     probs : [S, B, T, actions]
// roll : purpose, update, then the seed of each replica; from `shown` [S, B, T] action + 1 where a demonstration dictates it,
// 0 elsewhere (shown = 0: nothing is dictated)     flags : [S]

struct Dims { B : u32, T : u32, t : u32, actions : u32, n : u32, maxRows : u32, section : u32, floatSection : u32, inverse : f32, shown : u32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       logits  : array<f32>;
@group(0) @binding(2) var<storage, read>       length  : array<u32>;
@group(0) @binding(3) var<storage, read>       roll    : array<u32>;
@group(0) @binding(4) var<storage, read_write> choice  : array<u32>;
@group(0) @binding(5) var<storage, read_write> sampled : array<f32>;
@group(0) @binding(6) var<storage, read_write> probs   : array<f32>;
@group(0) @binding(7) var<storage, read_write> flags   : array<atomic<u32>>;

var<private> rowAt : u32;

fn logitOf(k : u32) -> f32 { return logits[rowAt + k]; }
fn keepProb(at : u32, p : f32) { probs[at] = p; }
fn shownAt(step : u32) -> u32 {
  if (dims.shown == 0u) { return 0u; }
  return roll[dims.shown + step];
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = group.x * 64u + local;
  if (i >= dims.B) { return; }
  let s = group.z;
  let row = s * dims.B + i;
  if (length[row] != 0u) { return; }
  let step = row * dims.T + dims.t;
  rowAt = (s * dims.maxRows + i) * dims.n;
  let u = uniform01(random(roll[2u + s], roll[0], roll[1], i, dims.t));
  if (!decide(step, choice[step], u).isFinite) { atomicMax(&flags[s], 1u); }
}
