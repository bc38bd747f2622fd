// Step budgets that the agent sees: the twin of stepBudget.ts. A state has one word more, in front: the number of the budget. A
// level has one word more, at PLACE: the number that its member of the group was dealt. FEATURES: bits of an observation
// without the budgets; WORDS: words of one with them.

fn ownReset(levelAt : u32, at : u32) {
  state[at] = levels[levelAt + OWN_PLACE];
  innerReset(levelAt, at + 1u);
}

fn ownStep(levelAt : u32, at : u32, action : u32, seed : u32) -> EnvResult { return innerStep(levelAt, at + 1u, action, seed); }

fn ownObserve(levelAt : u32, at : u32, obsAt : u32, seed : u32) {
  innerObserve(levelAt, at + 1u, obsAt, seed);
  for (var w = (OWN_FEATURES + 31u) / 32u; w < OWN_WORDS; w++) { obs[obsAt + w] = 0u; }
  let bit = OWN_FEATURES + state[at];
  obs[obsAt + (bit >> 5u)] |= 1u << (bit & 31u);
}

fn ownKey(at : u32) -> vec2u { return threefry(innerKey(at + 1u), vec2u(state[at], 0u)); }

fn ownLegal(levelAt : u32, at : u32) -> u32 { return innerLegal(levelAt, at + 1u); }
