// A question in a world: the twin of `questioned` in src/envs/perturb. A state has one word more, in front: excluded answers
// | signs read << 8. M: answers; K: signs, whose places are the K words behind the LEVEL words of the world's level; WORDS:
// of a state; ACTIONS: of the world; GOAL, STEP: rewards; AT: words of the observation before its own one;
// SPEAKS: tokens are seen; PLACE: mask of the place in the world's first word; WORD: tokens of the answers.

fn ownReset(levelAt : u32, at : u32) {
  state[at] = 0u;
  innerReset(levelAt, at + 1u);
}

fn ownTruth(seed : u32) -> u32 { return below(random(seed, 64u, 0u, 0u, 0u), OWN_M); }

/// The word after coming to a place.
fn ownRead(levelAt : u32, place : u32, before : u32, seed : u32) -> u32 {
  var word = before;
  let truth = ownTruth(seed);
  for (var k = 0u; k < OWN_K; k++) {
    if (levels[levelAt + OWN_LEVEL + k] != place || ((word >> (8u + k)) & 1u) == 1u) { continue; }
    word |= 1u << (8u + k);
    let out = countOneBits(word & 15u);
    if (out + 1u >= OWN_M) { continue; }
    var left = below(random(seed, 64u, 1u, k, 0u), OWN_M - 1u - out);
    var isDone = false;
    for (var m = 0u; m < OWN_M; m++) {
      if (isDone || m == truth || ((word >> m) & 1u) == 1u) { continue; }
      if (left == 0u) {
        word |= 1u << m;
        isDone = true;
      } else {
        left -= 1u;
      }
    }
  }
  return word;
}

fn ownStep(levelAt : u32, at : u32, action : u32, seed : u32) -> EnvResult {
  let clockAt = at + OWN_WORDS - 1u;
  let clock = state[clockAt];
  if ((clock >> 16u) != 0u) { return EnvResult(0, clock >> 16u); }
  let t = clock & 0xffffu;
  if (action >= OWN_ACTIONS && action < OWN_ACTIONS + OWN_M) {
    let isTrue = action - OWN_ACTIONS == ownTruth(seed);
    let flags = select(1u, 5u, isTrue);
    state[clockAt] = (t + 1u) | (flags << 16u);
    return EnvResult(OWN_STEP + select(0, OWN_GOAL, isTrue), flags);
  }
  var r = innerStep(levelAt, at + 1u, action, seed);
  if ((r.flags & 4u) != 0u) {
    r.reward = OWN_STEP;
    r.flags = (r.flags & 0xfffffff0u) | select(0u, 2u, t + 1u >= envLimit(levelAt));
    state[clockAt] = (t + 1u) | ((r.flags & 15u) << 16u);
  }
  state[at] = ownRead(levelAt, state[at + 1u] & OWN_PLACE, state[at], seed);
  return r;
}

fn ownObserve(levelAt : u32, at : u32, obsAt : u32, seed : u32) {
  innerObserve(levelAt, at + 1u, obsAt, seed);
  let excluded = state[at] & 15u;
  var words = OWN_WORD;
  var seen = excluded;
  if (OWN_SPEAKS) {
    seen = 0u;
    for (var m = 0u; m < OWN_M; m++) { seen |= select(0u, words[m] << (8u * m), ((excluded >> m) & 1u) == 1u); }
  }
  obs[obsAt + OWN_AT] = seen;
}

fn ownKey(at : u32) -> vec2u { return threefry(innerKey(at + 1u), vec2u(state[at], 0u)); }

fn ownLegal(levelAt : u32, at : u32) -> u32 {
  let legal = innerLegal(levelAt, at + 1u);
  if (legal == 0xffffffffu || OWN_ACTIONS + OWN_M > 32u) { return 0xffffffffu; }
  return (legal & ((1u << OWN_ACTIONS) - 1u)) | (((1u << OWN_M) - 1u) << OWN_ACTIONS);
}
