// Every lane adds up whole rows, every lanes-th. Linked with tree.wgsl into kernels that say
//
//   add(sums, s, i) -> Sums      sums, and row i of replica s

fn ofLane(s : u32, lane : u32) -> Sums {
  var mine = Sums();
  for (var i = lane; i < dims.B; i += dims.lanes) { mine = add(mine, s, i); }
  return mine;
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  finish(group.z, local, treeOf(local, ofLane(group.z, local)));
}

@compute @workgroup_size(LANES)
fn rows(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let lane = group.x * LANES + local;
  parts[group.z * dims.lanes + lane] = ofLane(group.z, lane);
}
