// What a table of distances says of a state, linked after stateTable.wgsl: the twin of `tellFrom`.

fn holds(at : u32, stateAt : u32, d : u32, isSuccess : bool) -> bool {
  let test = tables[at];
  let field = state[stateAt + ((test >> 8u) & 255u)] >> (test >> 16u);
  switch (test & 255u) {
    case 0u: { return (field & 1u) == 1u; }
    case 1u: { return (field & 15u) >= tables[at + 1u]; }
    case 2u: { return d <= tables[at + 1u]; }
    default: { return isSuccess; }
  }
}

/// `status`: of the clock word; `key` finds distances, `stateKey` values.
fn tellFrom(tableAt : u32, stateAt : u32, status : u32, key : vec2u, stateKey : vec2u, potential : u32) -> Told {
  let milestones = tables[tableAt];
  let rows = tables[tableAt + 1u];
  let rowsAt = tableAt + 8u + 2u * milestones;
  let isSuccess = (status & SUCCESS) != 0u;
  var d = NO_WAY;
  if (isSuccess) {
    d = 0u;
  } else if ((status & 8u) == 0u) {
    let row = rowAt(rowsAt, rows, key);
    if (row != NO_WAY) { d = tables[row + 2u]; }
  }
  let isLost = d == NO_WAY;
  let start = f32(tables[tableAt + 2u]);
  var told = Told(0u, 0.0, -2.0, 2.0 * start, select(0u, 1u, isLost));
  while (told.reached < milestones && holds(tableAt + 8u + 2u * told.reached, stateAt, d, isSuccess)) { told.reached++; }
  if (!isLost) {
    told.cost = f32(d);
    told.completion = 1.0 - f32(d) / f32(tables[tableAt + 3u]);
    told.phi = -f32(d) / start;
  }
  if (potential == OF_VALUE) {
    told.phi = 0.0;
    if ((status & TERMINATED) == 0u) { told.phi = valueOf(rowsAt + 3u * rows, tables[tableAt + 4u], stateKey); }
  }
  return told;
}
