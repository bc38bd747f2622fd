// A store that the policy writes to and reads from: the twin of `shelved` in src/envs/perturb.
//
// In front of a state are: a word (slot that is read, from 1 | filled slots << 4 | steps for which each slot still counts as
// just read, two bits each, << 12 | earlier observations in the context << 28), CONTEXT − 1 earlier states of the world, and
// one for each of N slots. WORDS: of a state with all of it; INNER: of the world before it; ACTIONS: of the world; SEEN: words
// of its observation; OWN: words beyond observations; PLACE and PLACE_AT: bits of the word that tells the place, and where in
// a state of the world it is; WAITING, LOST, REPEATED: rewards of a step that waits, of letting go and of doing it again.

const OWN_FRONT = OWN_WORDS - OWN_INNER;
const OWN_KEPT = OWN_CONTEXT - 1u;
const OWN_SHELF = 1u + OWN_KEPT * OWN_INNER;

fn ownReset(levelAt : u32, at : u32) {
  for (var k = 0u; k < OWN_FRONT; k++) { state[at + k] = 0u; }
  innerReset(levelAt, at + OWN_FRONT);
}

fn ownOlder(word : u32) -> u32 {
  var next = word & 0xf0000ff0u;
  for (var k = 0u; k < 8u; k++) {
    let recent = (word >> (12u + 2u * k)) & 3u;
    next = next | ((max(recent, 1u) - 1u) << (12u + 2u * k));
  }
  return next;
}

fn ownHeld(at : u32, entryAt : u32) -> bool {
  let key = innerKey(entryAt);
  for (var k = 0u; k < OWN_N; k++) {
    if (((state[at] >> (4u + k)) & 1u) == 0u) { continue; }
    let other = innerKey(at + OWN_SHELF + k * OWN_INNER);
    if (all(key == other)) { return true; }
  }
  return false;
}

fn ownUse(at : u32, op : u32) -> EnvResult {
  let word = state[at];
  let k = op % OWN_N;
  let slotAt = at + OWN_SHELF + k * OWN_INNER;
  var next = ownOlder(word);
  var cost = 0;
  var flags = 0u;
  if (op < OWN_N) {
    if (ownHeld(at, at + OWN_FRONT)) { cost = OWN_REPEATED; }
    for (var w = 0u; w < OWN_INNER; w++) { state[slotAt + w] = state[at + OWN_FRONT + w]; }
    state[slotAt + OWN_INNER - 1u] = state[slotAt + OWN_INNER - 1u] & 0xffffu;
    next = next | (1u << (4u + k));
  } else if (((word >> (4u + k)) & 1u) == 0u) {
    flags = 32u;
  } else {
    if (((word >> (12u + 2u * k)) & 3u) > 0u) { cost = OWN_REPEATED; }
    next = (next & ~(3u << (12u + 2u * k))) | (3u << (12u + 2u * k)) | (k + 1u);
  }
  state[at] = next;
  return EnvResult(OWN_WAITING + cost, flags);
}

fn ownStep(levelAt : u32, at : u32, action : u32, seed : u32) -> EnvResult {
  let clockAt = at + OWN_WORDS - 1u;
  let clock = state[clockAt];
  if ((clock >> 16u) != 0u) { return EnvResult(0, clock >> 16u); }
  if (action >= OWN_ACTIONS && action < OWN_ACTIONS + 2u * OWN_N) {
    var used = ownUse(at, action - OWN_ACTIONS);
    let t = (clock & 0xffffu) + 1u;
    used.flags = used.flags | select(0u, 2u, t >= envLimit(levelAt));
    state[clockAt] = t | ((used.flags & 15u) << 16u);
    return used;
  }
  var was : array<u32, OWN_INNER>;
  for (var w = 0u; w < OWN_INNER; w++) { was[w] = state[at + OWN_FRONT + w]; }
  var r = innerStep(levelAt, at + OWN_FRONT, action, seed);
  if ((r.flags & 1u) != 0u) { return r; }
  let word = state[at];
  let held = word >> 28u;
  if (held == OWN_KEPT && !ownHeld(at, at + 1u + (OWN_KEPT - 1u) * OWN_INNER)) { r.reward = r.reward + OWN_LOST; }
  for (var w = at + OWN_SHELF; w > at + 1u + OWN_INNER; w--) { state[w - 1u] = state[w - 1u - OWN_INNER]; }
  for (var w = 0u; w < OWN_INNER; w++) { state[at + 1u + w] = was[w]; }
  state[at] = (ownOlder(word) & 0x0fffffffu) | (min(OWN_KEPT, held + 1u) << 28u);
  return r;
}

fn ownObserve(levelAt : u32, at : u32, obsAt : u32, seed : u32) {
  let word = state[at];
  // now, the earlier ones of the context, and the slot that is read
  for (var k = 0u; k <= OWN_CONTEXT; k++) {
    let to = obsAt + k * OWN_SEEN;
    var source = at + OWN_FRONT;
    if (k > 0u) { source = at + 1u + (k - 1u) * OWN_INNER; }
    if (k == OWN_CONTEXT) { source = at + OWN_SHELF + ((word & 15u) - 1u) * OWN_INNER; }
    if (select(k <= (word >> 28u), (word & 15u) > 0u, k == OWN_CONTEXT)) {
      innerObserve(levelAt, source, to, seed);
    } else {
      for (var w = 0u; w < OWN_SEEN; w++) { obs[to + w] = 0u; }
    }
  }
  let own = obsAt + (OWN_CONTEXT + 1u) * OWN_SEEN;
  for (var w = 0u; w < OWN_OWN; w++) { obs[own + w] = 0u; }
  for (var k = 0u; k < OWN_N; k++) {
    if (((word >> (4u + k)) & 1u) == 0u) { continue; }
    let place = state[at + OWN_SHELF + k * OWN_INNER + OWN_PLACE_AT] & OWN_PLACE;
    let shown = 1u | ((place & 255u) << 1u);
    for (var b = 0u; b < 9u; b++) {
      let bit = 9u * k + b;
      if (((shown >> b) & 1u) == 1u) { obs[own + (bit >> 5u)] = obs[own + (bit >> 5u)] | (1u << (bit & 31u)); }
    }
  }
}

fn ownKey(at : u32) -> vec2u { return innerKey(at + OWN_FRONT); }

fn ownLegal(levelAt : u32, at : u32) -> u32 {
  let legal = innerLegal(levelAt, at + OWN_FRONT);
  if (legal == 0xffffffffu) { return legal; }
  return (legal & ((1u << OWN_ACTIONS) - 1u)) | (((1u << (2u * OWN_N)) - 1u) << OWN_ACTIONS);
}
