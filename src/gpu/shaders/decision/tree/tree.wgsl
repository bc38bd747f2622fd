// Sums over the rows of a replica, in one dispatch or in two, always in the same order. Linked with rows.wgsl or steps.wgsl,
// which say what a lane adds up, into kernels that say what is summed up:
//
//   struct Sums                  all zero: nothing was added yet
//   merge(a, b) -> Sums          the sums of both
//   finish(s, local, all)        what becomes of the sums over all rows; all invocations of a workgroup are there
//   LANES                        invocations of a workgroup, a power of two: 64, or fewer where 64 Sums do not fit its memory
//   SHARE                        lanes that leave one of the `parts`: 1, or LANES
//   Dims                         B rows of a replica, `lanes` that share them
//
// `main`: one workgroup per replica is all lanes and joins them in a fixed tree. Or with more lanes `rows`: what each lane or
// workgroup has goes to `parts` [S, lanes / SHARE]; `join`: one workgroup per replica takes every LANES-th of them, then the tree.

@group(0) @binding(15) var<storage, read_write> parts : array<Sums>;

var<workgroup> tree : array<Sums, LANES>;

/// What the invocations of a workgroup have, in a fixed tree.
fn treeOf(local : u32, mine : Sums) -> Sums {
  workgroupBarrier();
  tree[local] = mine;
  workgroupBarrier();
  for (var half = LANES / 2u; half > 0u; half /= 2u) {
    if (local < half) { tree[local] = merge(tree[local], tree[local + half]); }
    workgroupBarrier();
  }
  return tree[0];
}

@compute @workgroup_size(LANES)
fn join(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let count = dims.lanes / SHARE;
  var mine = Sums();
  for (var k = local; k < count; k += LANES) { mine = merge(mine, parts[group.z * count + k]); }
  finish(group.z, local, treeOf(local, mine));
}
