// Notes that the policy writes to itself: the twin of `noted` in src/envs/perturb.
//
// In front of a state are: what is due (symbol that is written now, 0 for none | steps of the world since the last note << 8 |
// notes written << 16), the note, what is written of the next one, and LIMIT earlier states of the world, the newest first
// (none where LIMIT = 1). A note has K symbols of M, five bits each, 0 for none; LIMIT = 1: one before every step of the world,
// else MOST of them, each written from the LIMIT observations before the newest. WORDS: of a state with all of it; INNER: of the world before it; ACTIONS: of the world; SEEN: words of its
// observation; OWN: words of an observation beyond them.

const OWN_FRONT = OWN_WORDS - OWN_INNER;

fn ownReset(levelAt : u32, at : u32) {
  for (var k = 0u; k < OWN_FRONT; k++) { state[at + k] = 0u; }
  state[at] = select(0u, 1u, OWN_LIMIT == 1u);
  innerReset(levelAt, at + OWN_FRONT);
}

fn ownWrite(at : u32, symbol : u32) {
  let word = state[at];
  let place = word & 255u;
  state[at + 2u] = state[at + 2u] | ((symbol + 1u) << (5u * (place - 1u)));
  if (place < OWN_K) {
    state[at] = word + 1u;
    return;
  }
  if (OWN_LIMIT == 1u) {
    state[at] = 0u;
    return;
  }
  state[at + 1u] = state[at + 2u];
  for (var k = 2u; k < OWN_FRONT; k++) { state[at + k] = 0u; }
  state[at] = ((word >> 16u) + 1u) << 16u;
}

fn ownStep(levelAt : u32, at : u32, action : u32, seed : u32) -> EnvResult {
  let clockAt = at + OWN_WORDS - 1u;
  let clock = state[clockAt];
  if ((clock >> 16u) != 0u) { return EnvResult(0, clock >> 16u); }
  if ((state[at] & 255u) > 0u) {
    ownWrite(at, min(OWN_M - 1u, max(action, OWN_ACTIONS) - OWN_ACTIONS));
    let flags = select(0u, 2u, (clock & 0xffffu) + 1u >= envLimit(levelAt));
    state[clockAt] = ((clock & 0xffffu) + 1u) | (flags << 16u);
    return EnvResult(0, flags);
  }
  var was : array<u32, OWN_INNER>;
  if (OWN_LIMIT > 1u) { for (var k = 0u; k < OWN_INNER; k++) { was[k] = state[at + OWN_FRONT + k]; } }
  let r = innerStep(levelAt, at + OWN_FRONT, action, seed);
  if ((r.flags & 1u) != 0u) { return r; }
  if (OWN_LIMIT == 1u) {
    state[at + 1u] = state[at + 2u];
    state[at + 2u] = 0u;
    state[at] = 1u;
    return r;
  }
  for (var k = at + OWN_FRONT; k > at + 3u + OWN_INNER; k--) { state[k - 1u] = state[k - 1u - OWN_INNER]; }
  for (var k = 0u; k < OWN_INNER; k++) { state[at + 3u + k] = was[k]; }
  let since = min(OWN_LIMIT, ((state[at] >> 8u) & 255u) + 1u);
  let written = state[at] >> 16u;
  let writes = since == OWN_LIMIT && written < OWN_MOST;
  if (since == OWN_LIMIT && !writes) {
    for (var k = 0u; k < OWN_INNER; k++) { state[at + OWN_FRONT + k - OWN_INNER] = 0u; }
  }
  state[at] = select(0u, 1u, writes) | (since << 8u) | (written << 16u);
  return r;
}

fn ownSet(obsAt : u32, bit : u32) { obs[obsAt + (bit >> 5u)] = obs[obsAt + (bit >> 5u)] | (1u << (bit & 31u)); }

fn ownObserve(levelAt : u32, at : u32, obsAt : u32, seed : u32) {
  let late = select(0u, 1u, OWN_LIMIT > 1u && (state[at] & 255u) > 0u);
  let shown = select(min(OWN_LIMIT, ((state[at] >> 8u) & 255u) + 1u), 1u, OWN_LIMIT == 1u);
  for (var k = 0u; k < OWN_LIMIT; k++) {
    let to = obsAt + k * OWN_SEEN;
    let back = k + late;
    if (k < shown) {
      innerObserve(levelAt, select(at + 3u + (back - 1u) * OWN_INNER, at + OWN_FRONT, back == 0u), to, seed);
    } else {
      for (var w = 0u; w < OWN_SEEN; w++) { obs[to + w] = 0u; }
    }
  }
  let own = obsAt + OWN_LIMIT * OWN_SEEN;
  for (var w = 0u; w < OWN_OWN; w++) { obs[own + w] = 0u; }
  for (var part = 0u; part < 2u; part++) {
    for (var k = 0u; k < OWN_K; k++) {
      let symbol = (state[at + 1u + part] >> (5u * k)) & 31u;
      if (symbol > 0u) { ownSet(own, (part * OWN_K + k) * OWN_M + symbol - 1u); }
    }
  }
  let place = state[at] & 255u;
  if (place > 0u) { ownSet(own, 2u * OWN_K * OWN_M + place - 1u); }
}

fn ownKey(at : u32) -> vec2u {
  let key = innerKey(at + OWN_FRONT);
  let place = state[at] & 255u;
  if (place == 0u) { return key; }
  return threefry(key, vec2u(place, 0u));
}

fn ownLegal(levelAt : u32, at : u32) -> u32 {
  if ((state[at] & 255u) > 0u) { return ((1u << OWN_M) - 1u) << OWN_ACTIONS; }
  let legal = innerLegal(levelAt, at + OWN_FRONT);
  return select(legal, (1u << OWN_ACTIONS) - 1u, legal == 0xffffffffu);
}
