// Gives rows of the batch to slots of trees that have none, in the order of tasks and slots: one workgroup per replica. Rows of
// other phases rest.
//
// trees : see growTrees.wgsl
// levels : from assignAt [S, B, 4] = level offset, task, episode seed, level seed; a row is of the level of its parent, or of the
//          first row of its task, and has its own seed unless it keeps the chance of that
// result : from turnAt [S, B, 2] = first step that a row plays, the step after the last
// forks : [S, B − sources, 3] see forkRows.wgsl

// sources: rows of a replica that its task source gives     keeps: bit 0 for rows from the start, bit 1 for forks
struct Dims { B : u32, T : u32, P : u32, G : u32, sources : u32, assignAt : u32, turnAt : u32, keeps : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read_write> trees  : array<u32>;
@group(0) @binding(2) var<storage, read_write> levels : array<u32>;
@group(0) @binding(3) var<storage, read_write> result : array<u32>;
@group(0) @binding(4) var<storage, read_write> forks  : array<u32>;

const LATE = 0xffffffffu;
const RESTS = 0xffffffffu;
const NONE = 0xffffffffu;

fn treeAt(s : u32, task : u32) -> u32 { return (s * dims.P + task) * (4u + 4u * dims.G); }

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  let top = s * dims.B;
  let spare = dims.B - dims.sources;
  for (var i = local; i < dims.B; i += 64u) {
    result[dims.turnAt + 2u * (top + i)] = RESTS;
    result[dims.turnAt + 2u * (top + i) + 1u] = 0u;
  }
  for (var i = local; i < spare; i += 64u) { forks[3u * (s * spare + i)] = NONE; }
  storageBarrier();
  if (local > 0u) { return; }
  var row = 0u;
  for (var task = 0u; task < dims.P; task++) { row += trees[treeAt(s, task) + 2u]; }
  for (var task = 0u; task < dims.P; task++) {
    let tree = treeAt(s, task);
    let n = trees[tree + 1u];
    for (var slot = trees[tree + 2u]; slot < n; slot++) {
      let at = tree + 4u + 4u * slot;
      let parent = trees[at + 1u];
      let isFork = parent != 0u && parent != LATE;
      let known = top + trees[tree + 4u + 4u * select(0u, parent - 1u, isFork)];
      let own = top + row;
      trees[at] = row;
      for (var k = 0u; k < 4u; k++) {
        if (k == 2u && ((dims.keeps >> select(0u, 1u, isFork)) & 1u) == 0u) { continue; }
        levels[dims.assignAt + 4u * own + k] = levels[dims.assignAt + 4u * known + k];
      }
      result[dims.turnAt + 2u * own] = trees[at + 2u];
      result[dims.turnAt + 2u * own + 1u] = dims.T;
      if (isFork) {
        let k = 3u * (s * spare + row - dims.sources);
        forks[k] = own;
        forks[k + 1u] = known;
        forks[k + 2u] = trees[at + 2u];
      }
      row++;
    }
    trees[tree + 2u] = n;
  }
}
