// Sets of steps whose words are equal, in time that grows with the number of steps alone: for every step the smallest
// flat index (inside its replica) of a step of its set. Steps without words are in no set: 0xffffffff.
//
// The rows that can share a set lie in one block of rows, and every block has a hash table with open addressing, twice as
// many slots as steps. A slot names a step, whose words are looked up and compared, so equal hashes make no set. The
// smallest step takes over the slot, so the outcome does not depend on who came first. Three passes of one invocation per
// step, no barrier: `clear` empties the table, `insert` finds the slot of a step, `settle` reads who has it. inBlock.wgsl does the
// same by one workgroup per block.
//
// A snippet in front says what the words of a step are: `struct Dims` with B, T and block, and
// `fn wordsOf(row : u32, t : u32) -> vec4u`, x = 0xffffffff where a real step has none.
//
// length : [S, B]     table : [S, B, T, 2], scratch     match_ : [S, B, T]

@group(0) @binding(1) var<storage, read>       length : array<u32>;
@group(0) @binding(2) var<storage, read_write> table  : array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> match_ : array<u32>;

const NONE = 0xffffffffu;

fn mix(x : u32) -> u32 {
  var h = x;
  h = (h ^ (h >> 16u)) * 0x85ebca6bu;
  h = (h ^ (h >> 13u)) * 0xc2b2ae35u;
  return h ^ (h >> 16u);
}

/// A slot below `slots` for a step's words; a remainder would cost four divisions where lanes divide one by one.
fn firstSlot(words : vec4u, slots : u32) -> u32 {
  let h = mix(mix(mix(mix(words.x) ^ words.y) ^ words.z) ^ words.w);
  return min(u32(f32(h >> 8u) * (f32(slots) / 16777216.0)), slots - 1u);
}

/// Slot of step `id` of replica s among the `slots` from `place` on. `mine`: its words.
fn slotOf(s : u32, id : u32, mine : vec4u, place : u32, slots : u32) -> u32 {
  var slot = firstSlot(mine, slots);
  // twice the slots: a free slot may refuse an exchange without a reason, and is then tried again
  for (var tries = 0u; tries < 2u * slots; tries++) {
    var owner = atomicLoad(&table[place + slot]);
    if (owner == 0u) {
      let seen = atomicCompareExchangeWeak(&table[place + slot], 0u, id + 1u);
      if (seen.exchanged) { return slot; }
      owner = seen.old_value;
      if (owner == 0u) { continue; }
    }
    if (owner == id + 1u) { return slot; }
    let i = (owner - 1u) / dims.T;
    if (all(wordsOf(s * dims.B + i, owner - 1u - i * dims.T) == mine)) {
      if (id + 1u < owner) { atomicMin(&table[place + slot], id + 1u); }
      return slot;
    }
    slot = select(slot + 1u, 0u, slot + 1u == slots);
  }
  return NONE;
}

/// Flat index of an invocation's step inside its replica.
fn stepAt(group : vec3u, local : u32) -> u32 { return (group.x + group.y * 65535u) * 64u + local; }

@compute @workgroup_size(64)
fn clear(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = stepAt(group, local);
  let steps = dims.B * dims.T;
  if (id >= steps) { return; }
  let k = 2u * group.z * steps + id;
  atomicStore(&table[k], 0u);
  atomicStore(&table[k + steps], 0u);
}

@compute @workgroup_size(64)
fn insert(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = stepAt(group, local);
  if (id < dims.B * dims.T) { insertStep(group.z, id); }
}

fn insertStep(s : u32, id : u32) {
  let i = id / dims.T;
  let t = id - i * dims.T;
  let row = s * dims.B + i;
  var slot = NONE;
  if (t < length[row]) {
    let mine = wordsOf(row, t);
    let begin = i - i % dims.block;
    let slots = 2u * min(dims.block, dims.B - begin) * dims.T;
    if (mine.x != NONE) { slot = 2u * begin * dims.T + slotOf(s, id, mine, 2u * (s * dims.B + begin) * dims.T, slots); }
  }
  match_[s * dims.B * dims.T + id] = slot;
}

@compute @workgroup_size(64)
fn settle(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = stepAt(group, local);
  if (id < dims.B * dims.T) { settleStep(group.z, id); }
}

fn settleStep(s : u32, id : u32) {
  let at = s * dims.B * dims.T;
  let slot = match_[at + id];
  if (slot != NONE) { match_[at + id] = atomicLoad(&table[2u * at + slot]) - 1u; }
}
