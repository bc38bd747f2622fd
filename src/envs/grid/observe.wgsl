// What the agent sees of a grid-world, the second half of step.wgsl: envObserve and its parts.

/// Plane of what lies in a cell now; NOWHERE for nothing.
fn planeOf(levelAt : u32, stateAt : u32, cell : u32) -> u32 {
  let index = indexOf(levelAt, cell);
  switch (kindOf(levelAt, cell)) {
    case K_WALL: { return 0u; }
    case K_GOAL: { return select(1u, NOWHERE, levelFlag(levelAt, 3u) && ((state[stateAt] >> (20u + index)) & 1u) == 1u); }
    case K_EXIT: { return 2u; }
    case K_LAVA, K_HOLE: { return 3u; }
    case K_KEY: { return select(NOWHERE, 5u + colorOf(levelAt, cell), isKeyHere(levelAt, stateAt, cell)); }
    case K_LOCKED: { return select(NOWHERE, 9u + colorOf(levelAt, cell), isClosedDoor(levelAt, stateAt, cell)); }
    case K_DOOR: { return select(NOWHERE, 13u, isClosedDoor(levelAt, stateAt, cell)); }
    case K_SUBGOAL: { return select(NOWHERE, 14u, index == ((state[stateAt] >> 16u) & 15u) + 1u); }
    case K_BONUS: { return 15u; }
    case K_DISTRACTOR: { return 17u; }
    default: { return NOWHERE; }
  }
}

/// Cell shown at position k of the agent's window.
fn windowCell(levelAt : u32, stateAt : u32, size : u32, k : u32) -> u32 {
  let W = levels[levelAt] & 255u;
  let here = state[stateAt] & NO_CELL;
  let q = i32(k / size);
  let c = i32(k % size);
  let half = i32(size / 2u);
  var x = i32(here % W);
  var y = i32(here / W);
  if (isTurn(levelAt)) {
    let ahead = (state[stateAt] >> 10u) & 3u;
    let right = (ahead + 1u) & 3u;
    x += stepX(right) * (c - half) + stepX(ahead) * (i32(size) - 1 - q);
    y += stepY(right) * (c - half) + stepY(ahead) * (i32(size) - 1 - q);
  } else {
    x += c - half;
    y += q - half;
  }
  return cellAt(levelAt, x, y);
}

/// Cells shown, and the planes they are seen in.
fn cellsShown(levelAt : u32) -> u32 {
  let size = levels[levelAt + 20u] >> 8u;
  return select((levels[levelAt] & 255u) * ((levels[levelAt] >> 8u) & 255u), size * size, (levels[levelAt + 20u] & 255u) == 1u);
}
fn planesShown(levelAt : u32) -> u32 { return select(19u, 23u, levelFlag(levelAt, 6u)); }

fn setBit(obsAt : u32, f : u32) {
  obs[obsAt + (f >> 5u)] = obs[obsAt + (f >> 5u)] | (1u << (f & 31u));
}

/// Row of the state in the sorted key table, by binary search.
fn rowOf(levelAt : u32, stateAt : u32) -> u32 {
  let key = envKey(stateAt);
  let cells = (levels[levelAt] & 255u) * ((levels[levelAt] >> 8u) & 255u);
  let keys = levelAt + 24u + cells;
  var low = 0u;
  var high = levels[levelAt + 22u] - 1u;
  while (low < high) {
    let mid = (low + high) >> 1u;
    let other = vec2u(levels[keys + 2u * mid], levels[keys + 2u * mid + 1u]);
    if (other.x < key.x || (other.x == key.x && other.y < key.y)) { low = mid + 1u; } else { high = mid; }
  }
  return low;
}

fn putToken(obsAt : u32, k : u32, token : u32) {
  obs[obsAt + (k >> 2u)] = obs[obsAt + (k >> 2u)] | ((token & 255u) << (8u * (k & 3u)));
}

/// One token per cell, then what the agent holds, then a full stop; the words are already 0.
fn observeTokens(levelAt : u32, stateAt : u32, obsAt : u32) {
  let cells = (levels[levelAt] & 255u) * ((levels[levelAt] >> 8u) & 255u);
  let look = levels[levelAt + 19u];
  let words = levels[levelAt + 23u];
  for (var cell = 0u; cell < cells; cell++) {
    let kind = kindOf(levelAt, cell);
    let isGone = (kind == K_KEY && !isKeyHere(levelAt, stateAt, cell))
      || ((kind == K_LOCKED || kind == K_DOOR) && !isClosedDoor(levelAt, stateAt, cell));
    var token = select(cellWord(levelAt, cell) >> 24u, look, isGone);
    if (obstacleAt(levelAt, stateAt, cell)) { token = look >> 16u; }
    if (cell == (state[stateAt] & NO_CELL)) {
      token = (look >> 8u) + select(0u, 1u + ((state[stateAt] >> 10u) & 3u), isTurn(levelAt));
    }
    putToken(obsAt, cell, token);
  }
  putToken(obsAt, cells, words);
  putToken(obsAt, cells + 1u, words >> 8u);
  var at = cells + 2u;
  for (var c = 0u; c < 4u; c++) {
    if (((state[stateAt] >> (12u + c)) & 1u) == 1u) { putToken(obsAt, at, (look >> 24u) + c); at++; }
  }
  if (at == cells + 2u) { putToken(obsAt, at, words >> 16u); at++; }
  putToken(obsAt, at, words >> 24u);
}

fn envObserve(levelAt : u32, stateAt : u32, obsAt : u32) {
  let features = levels[levelAt + 21u];
  for (var w = 0u; w < (features + 31u) / 32u; w++) { obs[obsAt + w] = 0u; }
  let view = levels[levelAt + 20u] & 255u;
  if (view == 2u) { setBit(obsAt, rowOf(levelAt, stateAt)); return; }
  if (view == 3u) { observeTokens(levelAt, stateAt, obsAt); return; }
  let size = levels[levelAt + 20u] >> 8u;
  let cells = cellsShown(levelAt);
  for (var k = 0u; k < cells; k++) {
    var cell = k;
    if (view == 1u) { cell = windowCell(levelAt, stateAt, size, k); }
    if (cell == NOWHERE) { setBit(obsAt, k); continue; }
    let plane = planeOf(levelAt, stateAt, cell);
    if (plane != NOWHERE) { setBit(obsAt, plane * cells + k); }
    let kind = kindOf(levelAt, cell);
    if (kind == K_ICE || (levelFlag(levelAt, 2u) && kind != K_WALL)) { setBit(obsAt, 4u * cells + k); }
    if (cell == (state[stateAt] & NO_CELL)) { setBit(obsAt, 18u * cells + k); }
    if (obstacleAt(levelAt, stateAt, cell)) { setBit(obsAt, 16u * cells + k); }
  }
  let scalars = planesShown(levelAt) * cells;
  for (var c = 0u; c < 4u; c++) {
    if (((state[stateAt] >> (12u + c)) & 1u) == 1u) { setBit(obsAt, scalars + c); }
  }
  if (isTurn(levelAt)) { setBit(obsAt, scalars + 4u + ((state[stateAt] >> 10u) & 3u)); }
}
