// Weights of the trajectories of a minibatch, see unitWeights.wgsl. Linked after tree.wgsl and that; `spread` is what follows.
// 16,384 rows take 0.7 ms instead of 2 of one invocation (two cores of SwiftShader).

fn finish(s : u32, local : u32, all : Sums) {
  if (dims.lanes == 64u) {
    for (var i = local; i < dims.B; i += 64u) { keep(s, i, unitWeight(s, i, all)); }
  }
  // all have read what the lanes had
  storageBarrier();
  if (dims.lanes > 64u && local == 0u) { parts[s * dims.lanes] = all; }
}

@compute @workgroup_size(64)
fn spread(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = group.x * 64u + local;
  if (i < dims.B) { keep(group.z, i, unitWeight(group.z, i, parts[group.z * dims.lanes])); }
}
