// The world with options that are given, an action LENGTH times in a row: the twin of `optioned` in src/envs/perturb.
//
// A state has one word more, in front: 0 where nothing runs, else the running option + 1, and the steps that it has left
// << 8. SINGLES: 1 where each action can be chosen for one step, too, and stands before its option. WORDS: words of the
// state with that word.

fn ownReset(levelAt : u32, at : u32) {
  state[at] = 0u;
  innerReset(levelAt, at + 1u);
}

fn ownStep(levelAt : u32, at : u32, action : u32, seed : u32) -> EnvResult {
  let clockAt = at + OWN_WORDS - 1u;
  let word = state[at];
  let isOver = (state[clockAt] >> 16u) != 0u;
  let option = select((word & 255u) - 1u, action, word == 0u);
  let r = innerStep(levelAt, at + 1u, option >> OWN_SINGLES, seed);
  if (isOver) { return r; }
  let isSingle = OWN_SINGLES == 1u && (option & 1u) == 0u;
  let steps = select(word >> 8u, select(OWN_LENGTH, 1u, isSingle), word == 0u);
  let ends = steps == 1u || (state[clockAt] >> 16u) != 0u;
  state[at] = select((option + 1u) | ((steps - 1u) << 8u), 0u, ends);
  return r;
}

fn ownObserve(levelAt : u32, at : u32, obsAt : u32, seed : u32) { innerObserve(levelAt, at + 1u, obsAt, seed); }

fn ownKey(at : u32) -> vec2u { return threefry(innerKey(at + 1u), vec2u(state[at], 0u)); }

fn ownLegal(levelAt : u32, at : u32) -> u32 {
  let word = state[at];
  if (word != 0u) { return 1u << ((word & 255u) - 1u); }
  let may = innerLegal(levelAt, at + 1u);
  if (OWN_SINGLES == 0u || may == 0xffffffffu) { return may; }
  var both = 0u;
  for (var a = 0u; a < 16u; a++) { if (((may >> a) & 1u) == 1u) { both |= 3u << (2u * a); } }
  return both;
}
