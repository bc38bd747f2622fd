// A tag before each action: the twin of `tagged` in src/envs/perturb. A state has one word more, in front: the tag of the last step, or 256 where
// it was refused. WORDS: words of the state with it; ACTIONS: actions without tags; AT: words of the observation before its
// own one; SPEAKS: tokens are seen; WORD: tokens of the tags; REFUSED_WORD: token of a refusal.

fn ownReset(levelAt : u32, at : u32) {
  state[at] = 0u;
  innerReset(levelAt, at + 1u);
}

fn ownStep(levelAt : u32, at : u32, action : u32, seed : u32) -> EnvResult {
  let isOver = (state[at + OWN_WORDS - 1u] >> 16u) != 0u;
  let isTagged = action < 5u * OWN_ACTIONS;
  let r = innerStep(levelAt, at + 1u, select(action, action % OWN_ACTIONS, isTagged), seed);
  if (!isOver) { state[at] = select(select(0u, action / OWN_ACTIONS, isTagged), 256u, (r.flags & 16u) != 0u); }
  return r;
}

fn ownObserve(levelAt : u32, at : u32, obsAt : u32, seed : u32) {
  innerObserve(levelAt, at + 1u, obsAt, seed);
  let tag = state[at] & 255u;
  let isRefused = (state[at] & 256u) != 0u;
  var words = OWN_WORD;
  var seen = select(0u, 1u << (max(tag, 1u) - 1u), tag > 0u) | select(0u, 16u, isRefused);
  if (OWN_SPEAKS) { seen = words[tag] | select(0u, OWN_REFUSED_WORD << 8u, isRefused); }
  obs[obsAt + OWN_AT] = seen;
}

fn ownKey(at : u32) -> vec2u { return innerKey(at + 1u); }

fn ownLegal(levelAt : u32, at : u32) -> u32 {
  let legal = innerLegal(levelAt, at + 1u);
  if (legal == 0xffffffffu || OWN_ACTIONS > 6u) { return 0xffffffffu; }
  let bits = legal & ((1u << OWN_ACTIONS) - 1u);
  var all = 0u;
  for (var k = 0u; k < 5u; k++) { all |= bits << (OWN_ACTIONS * k); }
  return all;
}
