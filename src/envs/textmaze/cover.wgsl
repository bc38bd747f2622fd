// What a state of a text-maze covers: the room, and the keys and items that were put there. Linked into covered.wgsl; levels
// are laid out as in step.wgsl.

fn coverState(levelAt : u32, stateAt : u32, radius : i32) {
  let room = played[stateAt] & 15u;
  addItem(room);
  for (var color = 0u; color < 4u; color++) {
    if (((levels[levelAt + 16u] >> (8u * color)) & 255u) == room) { addItem(16u + color); }
  }
  for (var item = 0u; item < 3u; item++) {
    if (((levels[levelAt + 17u] >> (8u * item)) & 255u) == room) { addItem(32u + item); }
  }
}
