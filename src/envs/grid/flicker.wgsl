// Changing tiles of a grid-world, the twin of observeLooks in observe.ts; linked after step.wgsl and observe.wgsl.
//
//   envFlicker(levelAt, stateAt, obsAt, seed)     sets plane 19 + look of every tile `z` that is seen

fn envFlicker(levelAt : u32, stateAt : u32, obsAt : u32, seed : u32) {
  let view = levels[levelAt + 20u] & 255u;
  if (!levelFlag(levelAt, 6u) || view > 1u) { return; }
  let size = levels[levelAt + 20u] >> 8u;
  let t = state[stateAt + 6u] & 0xffffu;
  let cells = cellsShown(levelAt);
  for (var k = 0u; k < cells; k++) {
    var cell = k;
    if (view == 1u) { cell = windowCell(levelAt, stateAt, size, k); }
    if (cell == NOWHERE) { continue; }
    let word = cellWord(levelAt, cell);
    if (kindOf(word) != K_DISTRACTOR || colorOf(word) != 3u) { continue; }
    setBit(obsAt, (19u + below(random(seed, 3u, t, cell, 0u), 4u)) * cells + k);
  }
}
