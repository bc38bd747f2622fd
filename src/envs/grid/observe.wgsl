// What the agent sees of a grid-world, the second half of step.wgsl: envObserve and its parts.

/// Planes of what lies in a cell now, a bit each; `word`: of the cell.
fn planesOf(levelAt : u32, stateAt : u32, word : u32) -> u32 {
  let index = indexOf(word);
  var plane = NOWHERE;
  switch (kindOf(word)) {
    case K_WALL: { return 1u; }
    case K_GOAL: { plane = select(1u, NOWHERE, levelFlag(levelAt, 3u) && ((state[stateAt] >> (20u + index)) & 1u) == 1u); }
    case K_EXIT: { plane = 2u; }
    case K_LAVA, K_HOLE: { plane = 3u; }
    case K_ICE: { plane = 4u; }
    case K_KEY: { plane = select(NOWHERE, 5u + colorOf(word), isKeyHere(stateAt, word)); }
    case K_LOCKED: { plane = select(NOWHERE, 9u + colorOf(word), isClosedDoor(stateAt, word)); }
    case K_DOOR: { plane = select(NOWHERE, 13u, isClosedDoor(stateAt, word)); }
    case K_SUBGOAL: { plane = select(NOWHERE, 14u, index == ((state[stateAt] >> 16u) & 15u) + 1u); }
    case K_BONUS: { plane = 15u; }
    case K_DISTRACTOR: { plane = 17u; }
    default: {}
  }
  return select(1u << (plane & 31u), 0u, plane == NOWHERE) | select(0u, 1u << 4u, levelFlag(levelAt, 2u));
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

/// Sets bit k of every plane in `planes`.
fn setPlanes(obsAt : u32, planes : u32, cells : u32, k : u32) {
  for (var left = planes; left != 0u; left &= left - 1u) { setBit(obsAt, firstTrailingBit(left) * cells + k); }
}

fn putToken(obsAt : u32, k : u32, token : u32) {
  obs[obsAt + (k >> 2u)] = obs[obsAt + (k >> 2u)] | ((token & 255u) << (8u * (k & 3u)));
}

/// One token per cell, then what the agent holds, then a full stop; the words are already 0.
fn observeTokens(levelAt : u32, stateAt : u32, obsAt : u32) {
  let cells = (levels[levelAt] & 255u) * ((levels[levelAt] >> 8u) & 255u);
  let look = levels[levelAt + 19u];
  let words = levels[levelAt + 23u];
  let agent = state[stateAt];
  let held = (agent >> 12u) & 15u;
  var at = 0u;
  // behind the cells: `you`, `have`, four colors, `nothing`, the full stop
  for (var k = 0u; k < cells + 8u; k++) {
    var token = 0u;
    if (k < cells) {
      let word = cellWord(levelAt, k);
      let isGone = (kindOf(word) == K_KEY && !isKeyHere(stateAt, word)) || (isDoor(word) && !isClosedDoor(stateAt, word));
      token = select(word >> 24u, look, isGone);
      if (obstacleAt(levelAt, stateAt, k)) { token = look >> 16u; }
      if (k == (agent & NO_CELL)) { token = (look >> 8u) + select(0u, 1u + ((agent >> 10u) & 3u), isTurn(levelAt)); }
    } else {
      let part = k - cells;
      if (part < 2u) {
        token = words >> (8u * part);
      } else if (part < 6u) {
        if (((held >> (part - 2u)) & 1u) == 0u) { continue; }
        token = (look >> 24u) + part - 2u;
      } else {
        if (part == 6u && held != 0u) { continue; }
        token = words >> (8u * (part - 4u));
      }
    }
    putToken(obsAt, at, token);
    at++;
  }
}

fn envObserve(levelAt : u32, stateAt : u32, obsAt : u32) {
  let features = levels[levelAt + 21u];
  for (var w = 0u; w < (features + 31u) / 32u; w++) { obs[obsAt + w] = 0u; }
  let view = levels[levelAt + 20u] & 255u;
  if (view == 2u) { setBit(obsAt, rowOf(levelAt, stateAt)); return; }
  if (view == 3u) { observeTokens(levelAt, stateAt, obsAt); return; }
  let size = levels[levelAt + 20u] >> 8u;
  let cells = cellsShown(levelAt);
  let agent = state[stateAt];
  for (var k = 0u; k < cells; k++) {
    var cell = k;
    if (view == 1u) { cell = windowCell(levelAt, stateAt, size, k); }
    var planes = 1u;
    if (cell != NOWHERE) {
      planes = planesOf(levelAt, stateAt, cellWord(levelAt, cell));
      if (cell == (agent & NO_CELL)) { planes |= 1u << 18u; }
      if (obstacleAt(levelAt, stateAt, cell)) { planes |= 1u << 16u; }
    }
    setPlanes(obsAt, planes, cells, k);
  }
  let facing = select(0u, 16u << ((agent >> 10u) & 3u), isTurn(levelAt));
  setPlanes(obsAt, ((agent >> 12u) & 15u) | facing, 1u, planesShown(levelAt) * cells);
}
