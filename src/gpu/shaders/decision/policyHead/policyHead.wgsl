// The decisions of a step, see decide.wgsl. One invocation per trajectory that plays it; others write nothing. Draws are those
// of core/random.ts, of the word at depth d with t | d << 16; flag 1 (policy) is raised when a logit that matters is not
// finite. Linked after steps.wgsl or rows.wgsl.
//
// choice : sections [S, B, T] = legal bits, action (none: all ones), command where one is written
// sampled : sections of `floatSection`: log-probability and entropy (sums over the units), value [S, B, T]; where a step may
//           have several units [S, B, T, K] log-probability, then entropy of each; of two values their soft minimum is the
//           value, and both follow after all of these
// probs : [S, B, T, actions]     roll : purpose, update, then the seed of each replica; from `shown` [S, B, T] action + 1 where a
// demonstration dictates it, 0 elsewhere (shown = 0: nothing is dictated)     flags : [S]

@group(0) @binding(4) var<storage, read>       roll    : array<u32>;
@group(0) @binding(5) var<storage, read_write> choice  : array<u32>;
@group(0) @binding(6) var<storage, read_write> sampled : array<f32>;
@group(0) @binding(7) var<storage, read_write> probs   : array<f32>;
@group(0) @binding(8) var<storage, read_write> flags   : array<atomic<u32>>;

fn logitAt(z : u32, c : u32) -> f32 { return logits[z + c]; }
fn keepProb(at : u32, p : f32) { probs[at] = p; }
fn shownAt(step : u32) -> u32 {
  if (dims.shown == 0u) { return 0u; }
  return roll[dims.shown + step];
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let at = placeOf(group, local);
  if (at.step == NONE) { return; }
  let key = threefry(vec2u(roll[2u + at.s], roll[0]), vec2u(roll[1], at.row % dims.B));
  if (!decide(at.step, at.z, choice[at.step], Draw(key, at.step % dims.T)).isFinite) { atomicMax(&flags[at.s], 1u); }
}
