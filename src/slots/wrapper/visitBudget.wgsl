// Places that should be left alone: the twin of `budgeted` in src/envs/perturb. A state has one word more, in front: visits, at
// most BUDGET + 1. A level has 32 words more, from SET on: a bit for each of 1024 places. AT: words of a state behind the own
// one and before that with the place; CELL: mask of the place in it; SHOWN: one bit is seen; WORDS: of a state; FEATURES: bits
// seen of the world; WAITING: reward of the step in which a success came too dear.

fn ownPlace(at : u32) -> u32 { return state[at + 1u + OWN_AT] & OWN_CELL; }

fn ownIsForbidden(levelAt : u32, place : u32) -> bool {
  return place < 1024u && ((levels[levelAt + OWN_SET + (place >> 5u)] >> (place & 31u)) & 1u) == 1u;
}

fn ownReset(levelAt : u32, at : u32) {
  state[at] = 0u;
  innerReset(levelAt, at + 1u);
}

fn ownStep(levelAt : u32, at : u32, action : u32, seed : u32) -> EnvResult {
  let clockAt = at + OWN_WORDS - 1u;
  let isOver = (state[clockAt] >> 16u) != 0u;
  let before = ownPlace(at);
  let r = innerStep(levelAt, at + 1u, action, seed);
  if (isOver) { return r; }
  let place = ownPlace(at);
  if (place != before && ownIsForbidden(levelAt, place)) { state[at] = min(OWN_BUDGET + 1u, state[at] + 1u); }
  if ((r.flags & 4u) == 0u || state[at] <= OWN_BUDGET) { return r; }
  state[clockAt] = state[clockAt] & ~(4u << 16u);
  return EnvResult(OWN_WAITING, r.flags & ~4u);
}

fn ownObserve(levelAt : u32, at : u32, obsAt : u32, seed : u32) {
  innerObserve(levelAt, at + 1u, obsAt, seed);
  if (!OWN_SHOWN) { return; }
  if ((OWN_FEATURES & 31u) == 0u) { obs[obsAt + (OWN_FEATURES >> 5u)] = 0u; }
  if (ownIsForbidden(levelAt, ownPlace(at))) { obs[obsAt + (OWN_FEATURES >> 5u)] |= 1u << (OWN_FEATURES & 31u); }
}

fn ownKey(at : u32) -> vec2u { return threefry(innerKey(at + 1u), vec2u(state[at], 0u)); }

fn ownLegal(levelAt : u32, at : u32) -> u32 { return innerLegal(levelAt, at + 1u); }
