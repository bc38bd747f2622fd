// The world behind a delay of DELAY steps, 1 to 3: the twin of `delayed` in src/envs/perturb.
//
// A state has one word more, in front: the queue of the chosen actions, 8 bits each, next one in the low byte, 0xff =
// nothing chosen yet, 0xfe = written words that are no command. WORDS: words of the state with the queue;
// WAITING: reward of a step in which nothing happens, in thousandths.

fn ownReset(levelAt : u32, at : u32) {
  state[at] = (1u << (8u * OWN_DELAY)) - 1u;
  innerReset(levelAt, at + 1u);
}

fn ownStep(levelAt : u32, at : u32, action : u32, seed : u32) -> EnvResult {
  let clockAt = at + OWN_WORDS - 1u;
  let clock = state[clockAt];
  if ((clock >> 16u) != 0u) { return EnvResult(0, clock >> 16u); }
  let due = state[at] & 255u;
  state[at] = (state[at] >> 8u) | (min(action, 0xfeu) << (8u * (OWN_DELAY - 1u)));
  if (due != 0xffu) { return innerStep(levelAt, at + 1u, select(due, 0xffffffffu, due == 0xfeu), seed); }
  let t = clock & 0xffffu;
  let flags = 32u | select(0u, 2u, t + 1u >= envLimit(levelAt));
  state[clockAt] = (t + 1u) | ((flags & 15u) << 16u);
  return EnvResult(OWN_WAITING, flags);
}

fn ownObserve(levelAt : u32, at : u32, obsAt : u32, seed : u32) { innerObserve(levelAt, at + 1u, obsAt, seed); }

fn ownKey(at : u32) -> vec2u { return threefry(innerKey(at + 1u), vec2u(state[at], 0u)); }

fn ownLegal(levelAt : u32, at : u32) -> u32 { return 0xffffffffu; }
