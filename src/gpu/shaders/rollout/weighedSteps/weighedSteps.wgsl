// Weights of the trajectories of a minibatch (unitWeights.wgsl) and with them the list of their live steps (places.wgsl), by one
// workgroup per replica; with `few` 1 the steps take their places here, else in liveSteps.spread. Linked after tree.wgsl and both.

fn finish(s : u32, local : u32, all : Sums) {
  for (var i = local; i < dims.B; i += LANES) { weigh(s, i, all); }
  storageBarrier();
  if (dims.few == 1u) { putAll(s, local); } else { begin(s, local, false); }
}
