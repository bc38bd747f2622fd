// Where ways part in a grid-world, the twin of `isJunction`; linked after step.wgsl.

/// Can the agent leave its cell in at least three directions, a door that it can open included?
fn envJunction(levelAt : u32, stateAt : u32) -> bool {
  var open = 0u;
  for (var direction = 0u; direction < 4u; direction++) {
    let cell = neighbor(levelAt, state[stateAt] & NO_CELL, direction);
    if (cell == NOWHERE) { continue; }
    let word = cellWord(levelAt, cell);
    if (kindOf(word) != K_WALL && (!isClosedDoor(stateAt, word) || canOpen(stateAt, word))) { open++; }
  }
  return open >= 3u;
}
