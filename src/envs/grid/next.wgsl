// What the agent sees after a step where the state before was seen in the same memory: if it has only moved or turned, its own
// bits change and all others stay. Linked after step.wgsl and observe.wgsl into kernels that play several steps.
//
//   envObserveNext(levelAt, stateAt, obsAt)     the same bits as envObserve

fn flipBit(obsAt : u32, f : u32) { obs[obsAt + (f >> 5u)] ^= 1u << (f & 31u); }

fn envObserveNext(levelAt : u32, stateAt : u32, obsAt : u32) {
  // around the agent everything moves, tiles change by chance, and an index is a single bit
  if (movedFrom == NOWHERE || (levels[levelAt + 20u] & 255u) != 0u || levelFlag(levelAt, 6u)) {
    envObserve(levelAt, stateAt, obsAt);
    return;
  }
  let agent = state[stateAt];
  let cells = cellsShown(levelAt);
  flipBit(obsAt, 18u * cells + (movedFrom & NO_CELL));
  flipBit(obsAt, 18u * cells + (agent & NO_CELL));
  if (!isTurn(levelAt)) { return; }
  flipBit(obsAt, 19u * cells + 4u + ((movedFrom >> 10u) & 3u));
  flipBit(obsAt, 19u * cells + 4u + ((agent >> 10u) & 3u));
}
