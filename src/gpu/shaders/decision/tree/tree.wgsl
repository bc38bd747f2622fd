// Sums over the rows of a replica, in one dispatch or in two, always in the same order. Linked into kernels that say what is
// summed up:
//
//   struct Sums                  all zero: nothing was added yet
//   add(sums, s, i) -> Sums      sums, and row i of replica s
//   merge(a, b) -> Sums          the sums of both
//   finish(s, local, all)        what becomes of the sums over all rows; all invocations of a workgroup are there
//   LANES                        invocations of a workgroup, a power of two: 64, or fewer where 64 Sums do not fit its memory
//   Dims                         B rows of a replica, of which every lane adds up every lanes-th
//
// `main`: one workgroup per replica is LANES lanes and joins them in a fixed tree. Or with more lanes, without barriers, `rows`:
// what each lane has goes to `parts` [S, lanes]; `join`: one workgroup per replica takes every LANES-th of them, then the tree.

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

@compute @workgroup_size(LANES)
fn join(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  var mine = Sums();
  for (var k = local; k < dims.lanes; k += LANES) { mine = merge(mine, parts[group.z * dims.lanes + k]); }
  finish(group.z, local, treeOf(local, mine));
}
