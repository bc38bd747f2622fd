// What a state of Sokoban covers: the squares where boxes stand. Linked into covered.wgsl; states are laid out as in step.wgsl.

fn coverState(levelAt : u32, stateAt : u32, radius : i32) {
  for (var square = 0u; square < 256u; square++) {
    if (((played[stateAt + 1u + (square >> 5u)] >> (square & 31u)) & 1u) == 1u) { addItem(square); }
  }
}
