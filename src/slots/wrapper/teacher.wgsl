// A teacher of subgoals: the twin of `taught` in src/envs/perturb. A state has two words more, in front: subgoals passed |
// reached << 8 | steps at the current one << 16, and what is told: place | three words << 12, six bits each. A level has from
// PLACE on: subgoals, patience, stride of the map, words of a state in front of those that subgoals test; then five words a
// subgoal: word | first bit << 8 (word 255: success), mask, least, most, what is told. AT: words of an observation before
// the own ones; CELL: mask of the place in the world's first word; WORD: tokens.

fn ownHolds(subgoalAt : u32, stateAt : u32, flags : u32) -> bool {
  let test = levels[subgoalAt];
  if ((test & 255u) == 255u) { return (flags & 4u) != 0u; }
  let field = (state[stateAt + (test & 255u)] >> (test >> 8u)) & levels[subgoalAt + 1u];
  return field >= levels[subgoalAt + 2u] && field <= levels[subgoalAt + 3u];
}

/// Goes on from subgoal k to the first that does not hold yet, and tells it.
fn ownNext(levelAt : u32, first : u32, reached : u32, at : u32) {
  let listAt = levelAt + OWN_PLACE;
  let count = levels[listAt];
  var k = first;
  for (; k < count; k++) { if (!ownHolds(listAt + 4u + 5u * k, at + levels[listAt + 3u], 0u)) { break; } }
  state[at] = k | (reached << 8u);
  state[at + 1u] = 0u;
  if (k < count) { state[at + 1u] = levels[listAt + 8u + 5u * k]; }
}

fn ownReset(levelAt : u32, at : u32) {
  innerReset(levelAt, at + 2u);
  ownNext(levelAt, 0u, 0u, at);
}

fn ownStep(levelAt : u32, at : u32, action : u32, seed : u32) -> EnvResult {
  let isOver = (state[at + OWN_WORDS - 1u] >> 16u) != 0u;
  let r = innerStep(levelAt, at + 2u, action, seed);
  let listAt = levelAt + OWN_PLACE;
  let word = state[at];
  let k = word & 255u;
  if (isOver || k >= levels[listAt]) { return r; }
  let reached = (word >> 8u) & 255u;
  if (ownHolds(listAt + 4u + 5u * k, at + levels[listAt + 3u], r.flags)) {
    ownNext(levelAt, k + 1u, reached + 1u, at);
  } else if ((word >> 16u) + 1u >= levels[listAt + 1u]) {
    ownNext(levelAt, k + 1u, reached, at);
  } else {
    state[at] = word + 0x10000u;
  }
  return r;
}

fn ownNear(to : u32, from_ : u32) -> u32 { return u32(clamp(i32(to) - i32(from_), -7, 7) + 7); }

fn ownObserve(levelAt : u32, at : u32, obsAt : u32, seed : u32) {
  innerObserve(levelAt, at + 2u, obsAt, seed);
  let told = state[at + 1u];
  var own = obsAt + OWN_AT;
  var tokens = 0u;
  var bits = 0u;
  var n = 0u;
  var words = OWN_WORD;
  for (var k = 0u; k < 3u; k++) {
    let word = (told >> (12u + 6u * k)) & 63u;
    if (word == 0u) { continue; }
    tokens |= words[word - 1u] << (8u * n);
    bits |= 1u << (word - 1u);
    n++;
  }
  if (OWN_SPEAKS) {
    obs[own] = tokens;
    return;
  }
  if (OWN_DIRECTION) {
    let stride = levels[levelAt + OWN_PLACE + 2u];
    let to = told & 4095u;
    let here = state[at + levels[levelAt + OWN_PLACE + 3u]] & OWN_CELL;
    let seen = (1u << ownNear(to % stride, here % stride)) | (1u << (15u + ownNear(to / stride, here / stride)));
    obs[own] = select(0u, seen, told != 0u);
    own++;
  }
  if (OWN_SAYS) { obs[own] = bits; }
}

fn ownKey(at : u32) -> vec2u { return innerKey(at + 2u); }

fn ownLegal(levelAt : u32, at : u32) -> u32 { return innerLegal(levelAt, at + 2u); }
