// The same for rows of steps. Where the lanes of a workgroup leave one sum together (SHARE), several of them walk a row. Linked
// with tree.wgsl into kernels that say
//
//   add(s, i, t, by) -> Sums     of row i of replica s the steps t, t + by, …
//   whole(sums, s, i) -> Sums    the sums over all steps of a row, and what the row counts for once
//   Dims                         `pieces` of a row: a power of two up to LANES, above 1 only where every one has a lane of its own
//
// A workgroup has LANES / pieces rows side by side; the pieces of a row meet in the first halvings of the tree.

fn ofLane(s : u32, lane : u32) -> Sums {
  let rows = LANES / dims.pieces;
  let local = lane % LANES;
  var mine = Sums();
  for (var i = lane / LANES * rows + local % rows; i < dims.B; i += dims.lanes / dims.pieces) {
    let own = add(s, i, local / rows, dims.pieces);
    if (SHARE > 1u && dims.pieces > 1u) { return own; }
    mine = merge(mine, whole(own, s, i));
  }
  return mine;
}

/// The sums of workgroup x, in a fixed tree.
fn ofGroup(s : u32, x : u32, local : u32) -> Sums {
  let rows = LANES / dims.pieces;
  let i = x * rows + local;
  tree[local] = ofLane(s, x * LANES + local);
  workgroupBarrier();
  for (var half = LANES / 2u; half > 0u; half /= 2u) {
    if (local < half) {
      var both = merge(tree[local], tree[local + half]);
      if (SHARE > 1u && half == rows && i < dims.B) { both = whole(both, s, i); }
      tree[local] = both;
    }
    workgroupBarrier();
  }
  return tree[0];
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  finish(group.z, local, ofGroup(group.z, 0u, local));
}

@compute @workgroup_size(LANES)
fn rows(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let part = (group.z * dims.lanes + group.x * LANES) / SHARE;
  if (SHARE == 1u) {
    parts[part + local] = ofLane(group.z, group.x * LANES + local);
    return;
  }
  let all = ofGroup(group.z, group.x, local);
  if (local == 0u) { parts[part] = all; }
}
