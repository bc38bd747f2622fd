// The world behind a gate that opens and shuts by itself: the twin of `gated` in src/envs/perturb. A state has one word more,
// in front: 0 open, 1 shut. SWITCHING: chance of a change in thousandths; SHOWN: it is seen; WORDS: of a state;
// FEATURES: bits seen of the world; WAITING: reward of a step in which nothing happens.

fn ownReset(levelAt : u32, at : u32) {
  state[at] = 0u;
  innerReset(levelAt, at + 1u);
}

fn ownStep(levelAt : u32, at : u32, action : u32, seed : u32) -> EnvResult {
  let clockAt = at + OWN_WORDS - 1u;
  let clock = state[clockAt];
  if ((clock >> 16u) != 0u) { return EnvResult(0, clock >> 16u); }
  let t = clock & 0xffffu;
  let isShut = state[at] == 1u;
  if (below(random(seed, 81u, t, 0u, 0u), 1000u) < OWN_SWITCHING) { state[at] = state[at] ^ 1u; }
  if (!isShut) { return innerStep(levelAt, at + 1u, action, seed); }
  let flags = 32u | select(0u, 2u, t + 1u >= envLimit(levelAt));
  state[clockAt] = (t + 1u) | ((flags & 15u) << 16u);
  return EnvResult(OWN_WAITING, flags);
}

fn ownObserve(levelAt : u32, at : u32, obsAt : u32, seed : u32) {
  innerObserve(levelAt, at + 1u, obsAt, seed);
  if (!OWN_SHOWN) { return; }
  if ((OWN_FEATURES & 31u) == 0u) { obs[obsAt + (OWN_FEATURES >> 5u)] = 0u; }
  if (state[at] == 1u) { obs[obsAt + (OWN_FEATURES >> 5u)] |= 1u << (OWN_FEATURES & 31u); }
}

fn ownKey(at : u32) -> vec2u { return threefry(innerKey(at + 1u), vec2u(state[at], 0u)); }

fn ownLegal(levelAt : u32, at : u32) -> u32 { return innerLegal(levelAt, at + 1u); }
