// Levels in a row: the twin of `serial` in src/envs/perturb. A state has one word more, in front: piece | (1 + color) << 4 |
// found now << 8 | at the doors << 9. A level is the H levels of its pieces, LEVEL words each, then how many of them are
// played and the step limit. M: doors, 0 for none; HIDES: a color is seen only when it is found; WORDS: of a state; FEATURES:
// bits seen of the world; SEEN: words of what is seen; ACTIONS: of the world; GOAL, STEP: rewards.

const OWN_FRESH = 256u;
const OWN_GATE = 512u;

fn ownRoom(levelAt : u32, at : u32) -> u32 { return levelAt + OWN_LEVEL * (state[at] & 15u); }
fn ownPieces(levelAt : u32) -> u32 { return levels[levelAt + OWN_H * OWN_LEVEL]; }

fn ownReset(levelAt : u32, at : u32) {
  state[at] = 0u;
  innerReset(levelAt, at + 1u);
}

/// The clock after step t of an episode that goes on; flags without those of an end.
fn ownGoOn(levelAt : u32, at : u32, t : u32, flags : u32) -> u32 {
  let next = (flags & 0xfffffff0u) | select(0u, 2u, t + 1u >= levels[levelAt + OWN_H * OWN_LEVEL + 1u]);
  state[at + OWN_WORDS - 1u] = (t + 1u) | ((next & 15u) << 16u);
  return next;
}

fn ownEnter(levelAt : u32, at : u32, piece : u32, symbol : u32) {
  state[at] = piece | (symbol << 4u) | select(0u, OWN_FRESH, symbol > 0u);
  innerReset(levelAt + OWN_LEVEL * piece, at + 1u);
}

fn ownStep(levelAt : u32, at : u32, action : u32, seed : u32) -> EnvResult {
  let clock = state[at + OWN_WORDS - 1u];
  if ((clock >> 16u) != 0u) { return EnvResult(0, clock >> 16u); }
  let t = clock & 0xffffu;
  let word = state[at];
  let piece = word & 15u;
  var symbol = 0u;
  if (OWN_M > 0u) { symbol = 1u + below(random(seed, 80u, piece, 1u, 0u), max(OWN_M, 1u)); }
  let atDoors = (word & OWN_GATE) != 0u;
  let isDoor = action >= OWN_ACTIONS && action < OWN_ACTIONS + OWN_M;
  let isLast = piece + 1u == ownPieces(levelAt);
  if (atDoors && isDoor) {
    let isTrue = ((word >> 4u) & 7u) == action - OWN_ACTIONS + 1u;
    if (isTrue && !isLast) {
      ownEnter(levelAt, at, piece + 1u, symbol);
      return EnvResult(OWN_STEP, ownGoOn(levelAt, at, t, 0u));
    }
    let flags = select(1u, 5u, isTrue);
    state[at + OWN_WORDS - 1u] = (t + 1u) | (flags << 16u);
    return EnvResult(OWN_STEP + select(0, OWN_GOAL, isTrue), flags);
  }
  state[at] = word & ~OWN_FRESH;
  if (atDoors || isDoor) { return EnvResult(OWN_STEP, ownGoOn(levelAt, at, t, 32u)); }
  let r = innerStep(ownRoom(levelAt, at), at + 1u, action, seed);
  if ((r.flags & 4u) == 0u) { return r; }
  if (OWN_M > 0u && piece > 0u) {
    state[at] |= OWN_GATE;
  } else if (isLast) {
    return r;
  } else {
    ownEnter(levelAt, at, piece + 1u, symbol);
  }
  return EnvResult(OWN_STEP, ownGoOn(levelAt, at, t, r.flags));
}

fn ownObserve(levelAt : u32, at : u32, obsAt : u32, seed : u32) {
  innerObserve(ownRoom(levelAt, at), at + 1u, obsAt, seed);
  for (var w = (OWN_FEATURES + 31u) / 32u; w < OWN_SEEN; w++) { obs[obsAt + w] = 0u; }
  let word = state[at];
  let symbol = (word >> 4u) & 7u;
  let piece = OWN_FEATURES + (word & 15u);
  obs[obsAt + (piece >> 5u)] |= 1u << (piece & 31u);
  if (symbol > 0u && (!OWN_HIDES || (word & OWN_FRESH) != 0u)) {
    let color = OWN_FEATURES + OWN_H + symbol - 1u;
    obs[obsAt + (color >> 5u)] |= 1u << (color & 31u);
  }
  if ((word & OWN_GATE) != 0u) {
    let gate = OWN_FEATURES + OWN_H + OWN_M;
    obs[obsAt + (gate >> 5u)] |= 1u << (gate & 31u);
  }
}

fn ownKey(at : u32) -> vec2u { return threefry(innerKey(at + 1u), vec2u(state[at], 0u)); }

fn ownLegal(levelAt : u32, at : u32) -> u32 {
  let legal = innerLegal(ownRoom(levelAt, at), at + 1u);
  if (legal == 0xffffffffu || OWN_ACTIONS + OWN_M > 32u) { return 0xffffffffu; }
  if ((state[at] & OWN_GATE) != 0u) { return ((1u << OWN_M) - 1u) << OWN_ACTIONS; }
  return legal & ((1u << OWN_ACTIONS) - 1u);
}
