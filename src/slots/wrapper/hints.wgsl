// Room for hints: the twin of `hinted` in src/envs/perturb where no hint is given. A state has COUNT + 1 words more, in front,
// which are 0. AT: words of an observation before the own ones; COUNT: how many these are.

fn ownReset(levelAt : u32, at : u32) {
  for (var k = 0u; k <= OWN_COUNT; k++) { state[at + k] = 0u; }
  innerReset(levelAt, at + OWN_COUNT + 1u);
}

fn ownStep(levelAt : u32, at : u32, action : u32, seed : u32) -> EnvResult {
  return innerStep(levelAt, at + OWN_COUNT + 1u, action, seed);
}

fn ownObserve(levelAt : u32, at : u32, obsAt : u32, seed : u32) {
  innerObserve(levelAt, at + OWN_COUNT + 1u, obsAt, seed);
  for (var k = 0u; k < OWN_COUNT; k++) { obs[obsAt + OWN_AT + k] = 0u; }
}

fn ownKey(at : u32) -> vec2u { return innerKey(at + OWN_COUNT + 1u); }

fn ownLegal(levelAt : u32, at : u32) -> u32 { return innerLegal(levelAt, at + OWN_COUNT + 1u); }
