// Sets of steps whose words are equal, in time that grows with the number of steps alone: for every step the smallest
// flat index (inside its replica) of a step of its set, and the next step of its set in order; the last one points back at
// the first, a set of one at itself. Steps without words are in no set: 0xffffffff in both.
//
// One workgroup per block of rows; the rows that can share a set lie in one block. It fills a hash table with open
// addressing, twice as many slots as steps: a slot names a step, whose words are looked up and compared, so equal hashes
// make no set. The smallest step takes over the slot, so the outcome does not depend on who came first. Then the steps are
// linked in order, 64 at a time.
//
// A snippet in front says what the words of a step are: `struct Dims` with B, T and block, and
// `fn wordsOf(row : u32, t : u32) -> vec4u`, x = 0xffffffff where a real step has none.
//
// length : [S, B]     table : [S, B, T, 2], scratch     match_, next : [S, B, T]

@group(0) @binding(1) var<storage, read>       length : array<u32>;
@group(0) @binding(2) var<storage, read_write> table  : array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> match_ : array<u32>;
@group(0) @binding(4) var<storage, read_write> next   : array<u32>;

const NONE = 0xffffffffu;
/// first steps of 64 steps in a row
var<workgroup> firsts : array<u32, 64>;

fn mix(x : u32) -> u32 {
  var h = x;
  h = (h ^ (h >> 16u)) * 0x85ebca6bu;
  h = (h ^ (h >> 13u)) * 0xc2b2ae35u;
  return h ^ (h >> 16u);
}

/// Words of step k of the block that starts at row `top`.
fn wordsAt(top : u32, k : u32) -> vec4u {
  let row = top + k / dims.T;
  let t = k % dims.T;
  if (t >= length[row]) { return vec4u(NONE); }
  return wordsOf(row, t);
}

/// Slot of step k in the table of its block, NONE without words.
fn slotOf(top : u32, k : u32, slots : u32) -> u32 {
  let mine = wordsAt(top, k);
  if (mine.x == NONE) { return NONE; }
  let place = 2u * top * dims.T;
  var slot = mix(mix(mix(mix(mine.x) ^ mine.y) ^ mine.z) ^ mine.w) % slots;
  // twice the slots: a free slot may refuse an exchange without a reason, and is then tried again
  for (var tries = 0u; tries < 2u * slots; tries++) {
    let seen = atomicCompareExchangeWeak(&table[place + slot], 0u, k + 1u);
    if (seen.exchanged) { return slot; }
    if (seen.old_value == 0u) { continue; }
    if (all(wordsAt(top, seen.old_value - 1u) == mine)) {
      atomicMin(&table[place + slot], k + 1u);
      return slot;
    }
    slot = select(slot + 1u, 0u, slot + 1u == slots);
  }
  return NONE;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let begin = (group.x + group.y * 65535u) * dims.block;
  if (begin >= dims.B) { return; }
  let top = group.z * dims.B + begin;
  let steps = min(dims.block, dims.B - begin) * dims.T;
  let slots = 2u * steps;
  let place = 2u * top * dims.T;
  let at = top * dims.T;
  // what is added to a step of the block for its index inside the replica
  let shift = begin * dims.T;

  for (var k = local; k < slots; k += 64u) { atomicStore(&table[place + k], 0u); }
  storageBarrier();
  for (var k = local; k < steps; k += 64u) { match_[at + k] = slotOf(top, k, slots); }
  storageBarrier();
  for (var k = local; k < steps; k += 64u) {
    let slot = match_[at + k];
    if (slot != NONE) { match_[at + k] = shift + atomicLoad(&table[place + slot]) - 1u; }
  }
  // From here on the table holds, at the first step of a set, the last step of it that has been linked.
  for (var chunk = 0u; chunk < steps; chunk += 64u) {
    let k = chunk + local;
    var first = NONE;
    if (k < steps) { first = match_[at + k]; }
    firsts[local] = first;
    storageBarrier();
    workgroupBarrier();
    var before = local;
    while (before > 0u && firsts[before - 1u] != first) { before--; }
    var after = local + 1u;
    while (after < 64u && firsts[after] != first) { after++; }
    if (first == NONE) {
      if (k < steps) { next[at + k] = NONE; }
    } else if (before > 0u) {
      next[at + chunk + before - 1u] = shift + k;
    } else if (first != shift + k) {
      next[at + atomicLoad(&table[place + first - shift])] = shift + k;
    }
    storageBarrier();
    workgroupBarrier();
    if (first != NONE && after == 64u) {
      atomicStore(&table[place + first - shift], k);
      next[at + k] = first;
    }
  }
}
