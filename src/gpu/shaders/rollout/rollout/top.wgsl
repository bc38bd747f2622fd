// The world as a rollout meets it: behind all its wrappers, whose last functions are called `inner…` here.

fn worldReset(levelAt : u32, at : u32) { innerReset(levelAt, at); }

fn worldStep(levelAt : u32, at : u32, action : u32, seed : u32) -> EnvResult { return innerStep(levelAt, at, action, seed); }

fn worldObserve(levelAt : u32, at : u32, obsAt : u32, seed : u32, t : u32) {
  innerObserve(levelAt, at, obsAt, seed);
  innerSee(obsAt, seed, t);
}

fn worldKey(at : u32) -> vec2u { return innerKey(at); }

fn worldLegal(levelAt : u32, at : u32) -> u32 { return innerLegal(levelAt, at); }

fn worldPay(reward : i32, seed : u32, t : u32) -> i32 { return innerPay(reward, seed, t); }

fn worldSettle(at : u32, count : u32) { innerSettle(at, count); }

fn lateSettle(at : u32, count : u32) { innerSettle(at, count); }
