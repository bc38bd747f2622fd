// Links the steps of every set of a block by one workgroup, see linkSets.wgsl. Linked into kernels that have dims.B, dims.T and
// dims.block, match_ and table, and say what NONE is.
//
// next : [S, B, T]

@group(0) @binding(12) var<storage, read_write> next : array<u32>;

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

/// Of the block of replica s that begins with this row.
fn linkBlock(s : u32, begin : u32, local : u32) {
  let top = s * dims.B + begin;
  let steps = min(dims.block, dims.B - begin) * dims.T;
  let place = 2u * top * dims.T;
  let at = top * dims.T;
  // what is added to a step of the block for its index inside the replica
  let shift = begin * dims.T;

  // At the first step of a set the table holds which of the 32 pieces of the chunk have later members, and `steps` further
  // the last member in earlier chunks: to begin with the first step itself.
  for (var k = local; k < steps; k += 64u) {
    next[at + k] = match_[at + k];
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
