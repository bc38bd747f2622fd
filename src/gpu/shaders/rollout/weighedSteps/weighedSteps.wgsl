// Weights of the trajectories of a minibatch (unitWeights.wgsl) and with them the list of their live steps (places.wgsl), by one
// workgroup per replica and look; with `few` 1 the steps take their places here, else in liveSteps.spread. Linked after tree.wgsl
// and both. A list for each look, as they are numbered in unitWeights.wgsl: replicas side by side, the last look first.

fn weightOf(v : u32, i : u32) -> f32 { return bitcast<f32>(list[startOf(v) + 4u + i]); }
fn lengthOf(v : u32, i : u32) -> u32 { return length[rowOf(v, i)]; }

fn finish(v : u32, local : u32, all : Sums) {
  for (var i = local; i < dims.B; i += LANES) {
    let weight = unitWeight(v, i, all);
    list[startOf(v) + 4u + i] = bitcast<u32>(weight);
    if (v < dims.S) { keep(v, i, weight); }
  }
  storageBarrier();
  if (dims.few == 1u) { putAll(v, local); } else { begin(v, local, false); }
}
