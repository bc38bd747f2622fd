// Hides parts of an observation by chance, from step FROM on: the twin of `blank` in src/envs/perturb. Part k < PARTS has the
// bits k·STRIDE + j·STEP, j < BITS; one whose bit SPARED is set stays. NOISE: chance in 256ths, 256 hides all of them.

fn ownIsSeen(obsAt : u32, f : u32) -> bool { return ((obs[obsAt + (f >> 5u)] >> (f & 31u)) & 1u) == 1u; }

fn ownSee(obsAt : u32, seed : u32, t : u32) {
  innerSee(obsAt, seed, t);
  if (t < OWN_FROM) { return; }
  for (var k = 0u; k < OWN_PARTS; k++) {
    let first = k * OWN_STRIDE;
    if (OWN_SPARED < OWN_BITS && ownIsSeen(obsAt, first + OWN_SPARED * OWN_STEP)) { continue; }
    if ((random(seed, 3u, t, k, 1u) >> 24u) >= OWN_NOISE) { continue; }
    for (var j = 0u; j < OWN_BITS; j++) {
      let f = first + j * OWN_STEP;
      obs[obsAt + (f >> 5u)] = obs[obsAt + (f >> 5u)] & ~(1u << (f & 31u));
    }
  }
}
