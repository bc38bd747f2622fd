// What a state of a grid-world covers: the cells in view within a radius, up to walls. Linked into covered.wgsl; levels are
// laid out as in step.wgsl.

const WALL = 1u;

/// x/n to the nearest whole number, halves up; x is at least −16·n.
fn rounded(x : i32, n : i32) -> i32 { return (2 * x + 33 * n) / (2 * n) - 16; }

/// True if the line from (x, y) to the cell beside it meets no wall, that cell included.
fn isInView(levelAt : u32, x : i32, y : i32, dx : i32, dy : i32) -> bool {
  let W = i32(levels[levelAt] & 255u);
  let H = i32((levels[levelAt] >> 8u) & 255u);
  let n = max(1, max(abs(dx), abs(dy)));
  for (var k = 1; k <= n; k++) {
    let cx = x + rounded(dx * k, n);
    let cy = y + rounded(dy * k, n);
    if (cx < 0 || cy < 0 || cx >= W || cy >= H) { return false; }
    if ((levels[levelAt + 24u + u32(cy * W + cx)] & 255u) == WALL) { return false; }
  }
  return true;
}

fn coverState(levelAt : u32, stateAt : u32, radius : i32) {
  let W = i32(levels[levelAt] & 255u);
  let cell = i32(played[stateAt] & 0x3ffu);
  for (var dy = -radius; dy <= radius; dy++) {
    for (var dx = -radius; dx <= radius; dx++) {
      if (isInView(levelAt, cell % W, cell / W, dx, dy)) { addItem(u32((cell / W + dy) * W + cell % W + dx)); }
    }
  }
}
