// Sets of steps whose words are equal, in time that grows with the number of steps alone: for every step the smallest
// flat index (inside its replica) of a step of its set, and the next step of its set in order; the last one points back at
// the first, a set of one at itself. Steps without words are in no set: 0xffffffff in both.
//
// One workgroup per block of rows; the rows that can share a set lie in one block. It fills a hash table with open
// addressing, twice as many slots as steps: a slot names a step, whose words are looked up and compared, so equal hashes
// make no set. The smallest step takes over the slot, so the outcome does not depend on who came first. Then the steps are
// linked in order, a chunk at a time: a step looks for the one before it in its own piece of the chunk, in the last
// earlier piece that a mask of its set names, or takes the last one of earlier chunks.
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

fn mix(x : u32) -> u32 {
  var h = x;
  h = (h ^ (h >> 16u)) * 0x85ebca6bu;
  h = (h ^ (h >> 13u)) * 0xc2b2ae35u;
  return h ^ (h >> 16u);
}

/// steps linked together, in 32 pieces
const CHUNK = 256u;
const PIECE = 8u;

/// Last step in low … high − 1 whose set begins at `first`, NONE without one. `at`: first step of the block.
fn memberBefore(at : u32, low : u32, high : u32, first : u32) -> u32 {
  for (var k = high; k > low; k--) {
    if (match_[at + k - 1u] == first) { return k - 1u; }
  }
  return NONE;
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
    var owner = atomicLoad(&table[place + slot]);
    if (owner == 0u) {
      let seen = atomicCompareExchangeWeak(&table[place + slot], 0u, k + 1u);
      if (seen.exchanged) { return slot; }
      owner = seen.old_value;
      if (owner == 0u) { continue; }
    }
    if (all(wordsAt(top, owner - 1u) == mine)) {
      if (k + 1u < owner) { atomicMin(&table[place + slot], k + 1u); }
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
    var first = NONE;
    if (slot != NONE) { first = shift + atomicLoad(&table[place + slot]) - 1u; }
    match_[at + k] = first;
    next[at + k] = first;
  }
  // From here on the table holds, at the first step of a set, which of the 32 pieces of the chunk have later members, and
  // `steps` further the last member in earlier chunks: to begin with the first step itself.
  storageBarrier();
  for (var k = local; k < steps; k += 64u) {
    atomicStore(&table[place + k], 0u);
    atomicStore(&table[place + steps + k], k);
  }
  for (var chunk = 0u; chunk < steps; chunk += CHUNK) {
    let end = min(chunk + CHUNK, steps);
    storageBarrier();
    for (var k = chunk + local; k < end; k += 64u) {
      let first = match_[at + k];
      if (first == NONE || first == shift + k) { continue; }
      atomicOr(&table[place + first - shift], 1u << ((k - chunk) / PIECE));
    }
    storageBarrier();
    for (var k = chunk + local; k < end; k += 64u) {
      let first = match_[at + k];
      if (first == NONE || first == shift + k) { continue; }
      let piece = (k - chunk) / PIECE;
      var before = memberBefore(at, chunk + piece * PIECE, k, first);
      if (before == NONE) {
        let earlier = atomicLoad(&table[place + first - shift]) & ((1u << piece) - 1u);
        let low = chunk + firstLeadingBit(earlier) * PIECE;
        if (earlier == 0u) { before = atomicLoad(&table[place + steps + first - shift]); }
        else { before = memberBefore(at, low, low + PIECE, first); }
      }
      next[at + before] = shift + k;
    }
    storageBarrier();
    for (var k = chunk + local; k < end; k += 64u) {
      let first = match_[at + k];
      if (first == NONE || first == shift + k) { continue; }
      atomicMax(&table[place + steps + first - shift], k);
      atomicStore(&table[place + first - shift], 0u);
    }
  }
}
