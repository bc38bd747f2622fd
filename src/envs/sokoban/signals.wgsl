// What Sokoban tells of a state; linked after step.wgsl and stateTable.wgsl. The twin of signals.ts, which says how the
// words of a table lie.

const FAR = 10000u;

fn wayOf(tableAt : u32, k : u32, square : u32) -> u32 { return tables[tableAt + 8u + 256u * k + square]; }

/// Fewest pushes that bring every box to a target of its own, other boxes ignored.
fn pushesLeft(tableAt : u32, stateAt : u32) -> u32 {
  let N = tables[tableAt];
  let tries = tables[tableAt + 3u] == 1u;
  var costs : array<u32, 16>;
  for (var taken = 1u; taken < 16u; taken++) { costs[taken] = FAR; }
  costs[0] = 0u;
  var boxes = 0u;
  var nearest = 0u;
  for (var square = 0u; square < 256u; square++) {
    if (!hasBox(stateAt, square)) { continue; }
    boxes++;
    var least = FAR;
    for (var k = 0u; k < N; k++) { least = min(least, wayOf(tableAt, k, square)); }
    nearest += least;
    if (!tries) { continue; }
    for (var taken = (1u << N) - 1u; taken > 0u; taken--) {
      if (countOneBits(taken) != boxes) { continue; }
      var best = FAR;
      for (var k = 0u; k < N; k++) {
        if (((taken >> k) & 1u) == 1u) { best = min(best, costs[taken & ~(1u << k)] + wayOf(tableAt, k, square)); }
      }
      costs[taken] = best;
    }
  }
  if (tries) { return costs[(1u << N) - 1u]; }
  return nearest;
}

fn isFull(levelAt : u32, stateAt : u32, square : u32) -> bool {
  return inLevel(levelAt, WALLS, square) || hasBox(stateAt, square);
}
fn isOff(levelAt : u32, stateAt : u32, square : u32) -> bool {
  return hasBox(stateAt, square) && !inLevel(levelAt, TARGETS, square);
}

/// True if a box off target stands in a block of 2 × 2 walls and boxes.
fn isBlocked(levelAt : u32, stateAt : u32) -> bool {
  for (var square = 0u; square < 239u; square++) {
    let full = isFull(levelAt, stateAt, square) && isFull(levelAt, stateAt, square + 1u)
      && isFull(levelAt, stateAt, square + 16u) && isFull(levelAt, stateAt, square + 17u);
    if (!full) { continue; }
    if (isOff(levelAt, stateAt, square) || isOff(levelAt, stateAt, square + 1u)
      || isOff(levelAt, stateAt, square + 16u) || isOff(levelAt, stateAt, square + 17u)) { return true; }
  }
  return false;
}

fn tellState(levelAt : u32, tableAt : u32, stateAt : u32, potential : u32) -> Told {
  let N = tables[tableAt];
  let M = pushesLeft(tableAt, stateAt);
  var on = 0u;
  for (var w = 0u; w < 8u; w++) { on += countOneBits(state[stateAt + 1u + w] & levels[levelAt + TARGETS + w]); }
  let isLost = M >= FAR || isBlocked(levelAt, stateAt);
  let start = f32(tables[tableAt + 1u]);
  var told = Told(on, f32(on) / f32(N), -f32(M) / start, f32(M), 0u);
  if (isLost) {
    told.phi = -2.0;
    told.cost = 2.0 * start;
    told.lost = 1u;
  }
  if (potential == OF_VALUE) {
    told.phi = 0.0;
    if (((state[stateAt + 9u] >> 16u) & TERMINATED) == 0u) {
      told.phi = valueOf(tableAt + 8u + 256u * N, tables[tableAt + 2u], envKey(stateAt));
    }
  }
  return told;
}

/// Key of the state with the player on the first square in reading order that it can walk to.
fn novelKey(levelAt : u32, stateAt : u32) -> vec2u {
  var free : array<u32, 8>;
  var here : array<u32, 8>;
  for (var w = 0u; w < 8u; w++) { free[w] = ~(levels[levelAt + WALLS + w] | state[stateAt + 1u + w]); here[w] = 0u; }
  let player = state[stateAt];
  here[player >> 5u] = 1u << (player & 31u);
  var grows = true;
  // floor never touches the edge of the board, so no bit goes from one row of sixteen to the next
  while (grows) {
    grows = false;
    for (var w = 0u; w < 8u; w++) {
      var more = here[w] | (here[w] << 1u) | (here[w] >> 1u) | (here[w] << 16u) | (here[w] >> 16u);
      if (w > 0u) { more |= here[w - 1u] >> 16u; }
      if (w < 7u) { more |= here[w + 1u] << 16u; }
      more &= free[w];
      if ((more | here[w]) != here[w]) { here[w] |= more; grows = true; }
    }
  }
  var least = player;
  for (var w = 8u; w > 0u; w--) {
    if (here[w - 1u] != 0u) { least = 32u * (w - 1u) + countTrailingZeros(here[w - 1u]); }
  }
  var h = threefry(vec2u(0x53544154u, 2u), vec2u(least, state[stateAt + 1u]));
  for (var w = 2u; w < 8u; w += 2u) { h = threefry(h, vec2u(state[stateAt + w], state[stateAt + w + 1u])); }
  return threefry(h, vec2u(state[stateAt + 8u], 0u));
}
