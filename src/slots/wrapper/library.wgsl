// Room for a library: the twin of `recalled` in src/envs/perturb where nothing is recalled. A state has eight words more, in
// front, which are 0. AT: words of an observation before the own ones; COUNT: how many these are.

fn ownReset(levelAt : u32, at : u32) {
  for (var k = 0u; k < 8u; k++) { state[at + k] = 0u; }
  innerReset(levelAt, at + 8u);
}

fn ownStep(levelAt : u32, at : u32, action : u32, seed : u32) -> EnvResult {
  return innerStep(levelAt, at + 8u, action, seed);
}

fn ownObserve(levelAt : u32, at : u32, obsAt : u32, seed : u32) {
  innerObserve(levelAt, at + 8u, obsAt, seed);
  for (var k = 0u; k < OWN_COUNT; k++) { obs[obsAt + OWN_AT + k] = 0u; }
}

fn ownKey(at : u32) -> vec2u { return innerKey(at + 8u); }

fn ownLegal(levelAt : u32, at : u32) -> u32 { return innerLegal(levelAt, at + 8u); }
