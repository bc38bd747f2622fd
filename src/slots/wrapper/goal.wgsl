// The goal in what is seen: the twin of `aimed` in src/envs/perturb where nothing but the goal of the level is asked for. A state
// has COUNT words more, in front, which are 0. A level has from PLACE on the number of words that show its goal, and these words.
// AT: words of an observation before the own ones.

fn ownReset(levelAt : u32, at : u32) {
  for (var k = 0u; k < OWN_COUNT; k++) { state[at + k] = 0u; }
  innerReset(levelAt, at + OWN_COUNT);
}

fn ownStep(levelAt : u32, at : u32, action : u32, seed : u32) -> EnvResult {
  return innerStep(levelAt, at + OWN_COUNT, action, seed);
}

fn ownObserve(levelAt : u32, at : u32, obsAt : u32, seed : u32) {
  innerObserve(levelAt, at + OWN_COUNT, obsAt, seed);
  let count = levels[levelAt + OWN_PLACE];
  for (var k = 0u; k < count; k++) { obs[obsAt + OWN_AT + k] = levels[levelAt + OWN_PLACE + 1u + k]; }
}

fn ownKey(at : u32) -> vec2u { return innerKey(at + OWN_COUNT); }

fn ownLegal(levelAt : u32, at : u32) -> u32 { return innerLegal(levelAt, at + OWN_COUNT); }
