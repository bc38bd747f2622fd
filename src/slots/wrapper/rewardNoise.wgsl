// Noise of the reward of a step, uniform over −NOISE … NOISE thousandths: the twin of `noiseOf` in src/envs/perturb.

fn ownPay(reward : i32, seed : u32, t : u32) -> i32 {
  let noise = i32(below(random(seed, 2u, t, 16u, 0u), 2u * OWN_NOISE + 1u)) - i32(OWN_NOISE);
  return innerPay(reward, seed, t) + noise;
}
