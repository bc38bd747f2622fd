// The world as it is, in the form in which a wrapper meets what is before it; src/slots/wrapper links wrappers behind it.
//
//   baseReset     writes the first state of a level
//   baseStep      one step in place
//   baseObserve   observation bits of a state, what looks different by chance included
//   baseKey       key of a state
//   baseLegal     legal actions, bit a = 1: action a
//   baseSee       what is left to change in an observation at step t
//   basePay       reward of step t, in thousandths
//   baseSettle    rewards of a whole episode, in thousandths at result[at … at + count)

fn baseReset(levelAt : u32, at : u32) { envReset(levelAt, at); }

fn baseStep(levelAt : u32, at : u32, action : u32, seed : u32) -> EnvResult { return envStep(levelAt, at, action, seed); }

fn baseObserve(levelAt : u32, at : u32, obsAt : u32, seed : u32) {
  envObserve(levelAt, at, obsAt);
  envFlicker(levelAt, at, obsAt, seed);
}

fn baseKey(at : u32) -> vec2u { return envKey(at); }

fn baseLegal(levelAt : u32, at : u32) -> u32 { return envLegal(levelAt, at); }

fn baseSee(obsAt : u32, seed : u32, t : u32) {}

fn basePay(reward : i32, seed : u32, t : u32) -> i32 { return reward; }

fn baseSettle(at : u32, count : u32) {}
