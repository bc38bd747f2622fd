// What a grid-world tells of a state; linked after step.wgsl, stateTable.wgsl and mapTable.wgsl.

/// Key of the state as if there were no obstacles.
fn stillKey(stateAt : u32) -> vec2u {
  let h = threefry(vec2u(0x53544154u, 1u), vec2u(state[stateAt], state[stateAt + 1u]));
  return threefry(threefry(h, vec2u(state[stateAt + 2u], 0x3fffffffu)), vec2u(0x3fffffffu, 0x3fffffffu));
}

fn tellState(levelAt : u32, tableAt : u32, stateAt : u32, potential : u32) -> Told {
  return tellFrom(tableAt, stateAt, state[stateAt + 6u] >> 16u, stillKey(stateAt), envKey(stateAt), potential);
}

fn novelKey(levelAt : u32, stateAt : u32) -> vec2u { return envKey(stateAt); }
