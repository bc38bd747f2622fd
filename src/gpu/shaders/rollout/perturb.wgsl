// What stands between an agent and its world, in front of rollout.wgsl: the twins of src/envs/perturb. With every setting
// at 0 the world is met as it is.
//
//   worldReset, worldStep, worldObserve, worldKey, worldLegal     the environment behind a delay of `delay` steps
//   blank       hides parts of an observation by chance
//   noiseOf     noise of the reward of a step, in thousandths
//   payLate     pays the rewards of a whole episode late, in place
//
// With a delay a state has one word more, in front: the queue of the chosen actions, 8 bits each, next one in the low
// byte, 0xff = nothing chosen yet, 0xfe = written words that are no command.

fn worldAt(at : u32) -> u32 { return at + min(dims.delay, 1u); }

fn worldReset(levelAt : u32, at : u32) {
  if (dims.delay > 0u) { state[at] = (1u << (8u * dims.delay)) - 1u; }
  envReset(levelAt, worldAt(at));
}

fn worldStep(levelAt : u32, at : u32, action : u32, seed : u32) -> EnvResult {
  if (dims.delay == 0u) { return envStep(levelAt, at, action, seed); }
  let clockAt = at + dims.words - 1u;
  let clock = state[clockAt];
  if ((clock >> 16u) != 0u) { return EnvResult(0, clock >> 16u); }
  let due = state[at] & 255u;
  state[at] = (state[at] >> 8u) | (min(action, 0xfeu) << (8u * (dims.delay - 1u)));
  if (due != 0xffu) { return envStep(levelAt, at + 1u, select(due, 0xffffffffu, due == 0xfeu), seed); }
  let t = clock & 0xffffu;
  let flags = 32u | select(0u, 2u, t + 1u >= dims.T);
  state[clockAt] = (t + 1u) | ((flags & 15u) << 16u);
  return EnvResult(dims.waiting, flags);
}

fn worldKey(at : u32) -> vec2u {
  let key = envKey(worldAt(at));
  if (dims.delay == 0u) { return key; }
  return threefry(key, vec2u(state[at], 0u));
}

fn worldLegal(levelAt : u32, at : u32) -> u32 {
  if (dims.delay > 0u) { return 0xffffffffu; }
  return envLegal(levelAt, at);
}

fn isSeen(obsAt : u32, f : u32) -> bool { return ((obs[obsAt + (f >> 5u)] >> (f & 31u)) & 1u) == 1u; }

/// Part k has the bits k·partStride + j·partStep; one whose bit `spared` is set stays.
fn blank(obsAt : u32, seed : u32, t : u32) {
  for (var k = 0u; k < dims.parts; k++) {
    let first = k * dims.partStride;
    if (dims.spared < dims.partBits && isSeen(obsAt, first + dims.spared * dims.partStep)) { continue; }
    if ((random(seed, 3u, t, k, 1u) >> 24u) >= dims.obsNoise) { continue; }
    for (var j = 0u; j < dims.partBits; j++) {
      let f = first + j * dims.partStep;
      obs[obsAt + (f >> 5u)] = obs[obsAt + (f >> 5u)] & ~(1u << (f & 31u));
    }
  }
}

fn worldObserve(levelAt : u32, at : u32, obsAt : u32, seed : u32, t : u32) {
  envObserve(levelAt, worldAt(at), obsAt);
  envFlicker(levelAt, worldAt(at), obsAt, seed);
  if (dims.obsNoise > 0u) { blank(obsAt, seed, t); }
}

fn noiseOf(seed : u32, t : u32) -> i32 {
  if (dims.rewardNoise == 0u) { return 0; }
  return i32(below(random(seed, 2u, t, 16u, 0u), 2u * dims.rewardNoise + 1u)) - i32(dims.rewardNoise);
}

/// Rewards at result[at … at + count): each moves `rewardDelay` steps on, all that is due by then is paid in the last.
fn payLate(at : u32, count : u32) {
  let d = dims.rewardDelay;
  if (d == 0u) { return; }
  let last = count - 1u;
  var due = 0;
  for (var k = last - min(last, d); k <= last; k++) { due += bitcast<i32>(result[at + k]); }
  for (var back = 1u; back <= last; back++) {
    let k = last - back;
    if (k >= d) { result[at + k] = result[at + k - d]; } else { result[at + k] = 0u; }
  }
  result[at + last] = bitcast<u32>(due);
}
