var<workgroup> shares : array<f32, 64>;

/// What the 64 invocations of a workgroup have, in a fixed tree; all of them are there.
fn totalOf(local : u32, mine : f32) -> f32 {
  workgroupBarrier();
  shares[local] = mine;
  workgroupBarrier();
  for (var half = 32u; half > 0u; half /= 2u) {
    if (local < half) { shares[local] += shares[local + half]; }
    workgroupBarrier();
  }
  return shares[0];
}
